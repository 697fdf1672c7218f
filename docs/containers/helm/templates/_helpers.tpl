{{- define "quoin.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What all pods have in common. It is called with a dict of root, args, resources and isServer. */}}
{{- define "quoin.pod" -}}
automountServiceAccountToken: {{ ne .root.Values.serviceAccountName "" }}
{{- with .root.Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: { sizeLimit: {{ .root.Values.scratchSize }} }
containers:
  - name: quoin
    image: "{{ required "image.repository: is needed, the image that the Dockerfile builds" .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: {{ toJson .args }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    envFrom:
      - secretRef: { name: {{ required "existingSecret: is needed, a secret with QUOIN_DATABASE_URL and QUOIN_MASTER_KEY" .root.Values.existingSecret }} }
    env:
      - name: QUOIN_BASE_URL
        value: {{ required "baseUrl: is needed, such as https://quoin.example.com" .root.Values.baseUrl | quote }}
      - name: QUOIN_STORAGE_URL
        value: {{ required "storageUrl: is needed, such as s3://sites?region=eu-central-1" .root.Values.storageUrl | quote }}
      - name: QUOIN_MEDIA_URL
        value: {{ required "mediaUrl: is needed, such as s3://media?region=eu-central-1" .root.Values.mediaUrl | quote }}
      {{- with .root.Values.sitesDomain }}
      - name: QUOIN_SITES_DOMAIN
        value: {{ . | quote }}
      {{- end }}
      {{- with .root.Values.trustProxy }}
      - name: QUOIN_TRUST_PROXY
        value: {{ . | quote }}
      {{- end }}
      - name: QUOIN_MIGRATE
        value: "off"
      {{- range $name, $value := .root.Values.settings }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: data, mountPath: /var/lib/quoin }
    {{- with .resources }}
    resources: {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- if .isServer }}
    ports:
      - { name: http, containerPort: 8080 }
    startupProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 5
      timeoutSeconds: 6
    lifecycle:
      # Until the endpoints of the service no longer name the pod.
      preStop: { exec: { command: [sleep, '5'] } }
    {{- end }}
{{- end }}

{{/* A deployment of one role. It is called with a dict of root, role, args and values. */}}
{{- define "quoin.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    {{- include "quoin.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ .values.replicas }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "quoin.labels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "quoin.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '8080'
    spec:
      # A process finishes running requests within 20 s.
      terminationGracePeriodSeconds: 35
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "quoin.labels" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      {{- include "quoin.pod" (dict "root" .root "args" .args "resources" .values.resources "isServer" true) | nindent 6 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    {{- include "quoin.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "quoin.labels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end }}
