{{- define "boardwatch.labels" -}}
app.kubernetes.io/name: boardwatch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "boardwatch.secret" -}}
{{- if .Values.secret.name -}}
{{ .Values.secret.name }}
{{- else -}}
{{ .Release.Name }}-secrets
{{- end -}}
{{- end }}

{{- define "boardwatch.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every pod is told: where secrets are, and the settings that are the same for all. */}}
{{- define "boardwatch.environment" -}}
- {name: BOARDWATCH_BASE_URL, value: {{ .Values.baseUrl | quote }}}
- name: BOARDWATCH_DATABASE
  valueFrom: {secretKeyRef: {name: {{ include "boardwatch.secret" . }}, key: database}}
- name: BOARDWATCH_SECRETS_KEY
  valueFrom: {secretKeyRef: {name: {{ include "boardwatch.secret" . }}, key: key}}
- name: BOARDWATCH_MAIL_SMTP_URL
  valueFrom: {secretKeyRef: {name: {{ include "boardwatch.secret" . }}, key: smtp, optional: true}}
- {name: BOARDWATCH_METRICS_LISTEN, value: ":9100"}
{{- with .Values.trustedProxies }}
- {name: BOARDWATCH_TRUSTED_PROXIES, value: {{ join "," . | quote }}}
{{- end }}
{{- range $name, $value := .Values.settings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- define "boardwatch.container" -}}
image: {{ include "boardwatch.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* The same with Chromium, which has a tag of its own. */}}
{{- define "boardwatch.browsing" -}}
image: {{ printf "%s-chromium" (include "boardwatch.image" .) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "boardwatch.locked" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "boardwatch.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false # their names would look like settings
terminationGracePeriodSeconds: 60
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
