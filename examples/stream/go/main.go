// Joins a channel of a tapehouse server and prints its frags.
//
//	protoc --go_out=examples/stream/go --go_opt=module=tapehouse -I src/stream tapehouse.proto
//	cd examples/stream/go && go mod tidy
//	TAPEHOUSE_TOKEN=… go run . ws://127.0.0.1:8787/api/socket chain_frags:ACME 10
//
// It exits after as many frags as the last argument specifies, or when the server closes the socket, with the reason.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/coder/websocket"
	"google.golang.org/protobuf/proto"

	"tapehouse/stream"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: go run . ADDRESS CHANNEL COUNT")
	}
	count, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal("COUNT must be a whole number: ", err)
	}
	if err := listen(context.Background(), os.Args[1], os.Args[2], count); err != nil {
		log.Fatal(err)
	}
}

// listen joins one channel and prints its next count frags.
func listen(ctx context.Context, address, channel string, count int) error {
	socket, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPHeader:   http.Header{"Authorization": {"Bearer " + os.Getenv("TAPEHOUSE_TOKEN")}},
		Subprotocols: []string{"protobuf"},
	})
	if err != nil {
		return err
	}
	defer socket.CloseNow()
	join, err := json.Marshal(map[string]string{"channel": channel, "msg_type": "join"})
	if err != nil {
		return err
	}
	if err := socket.Write(ctx, websocket.MessageText, join); err != nil {
		return err
	}
	for seen := 0; seen < count; {
		_, bytes, err := socket.Read(ctx)
		if err != nil {
			return err
		}
		var frame stream.Frame
		if err := proto.Unmarshal(bytes, &frame); err != nil {
			return err
		}
		if answer := frame.GetResponse(); answer != nil {
			if answer.GetStatus() != "ok" {
				return fmt.Errorf("%s: %s", frame.GetChannel(), answer.GetReason())
			}
			log.Print("joined ", frame.GetChannel())
		}
		if frag := frame.GetChainFrag(); frag != nil {
			fmt.Println(frag.GetOptionSymbol(), frag.GetStartTime(), frag.GetVolume(), frag.GetClose(), frag.GetPremium())
			seen++
		}
	}
	return socket.Close(websocket.StatusNormalClosure, "")
}
