module github.com/boardwatch/boardwatch/tools/judges

go 1.26.0

require (
	github.com/boardwatch/boardwatch v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/stripe/stripe-go/v85 v85.0.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/boardwatch/boardwatch => ../..
