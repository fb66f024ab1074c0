module tapehouse

go 1.23

require (
	github.com/coder/websocket v1.8.15
	google.golang.org/protobuf v1.36.12
)
