package boardwatch

// Deliveries is deliveries with the usual number of roles.
func Deliveries(b Board, check Check, c Change, subs []Subscription, hooks []Webhook, newID func() string) ([]Payload, []Delivery) {
	return deliveries(b, check, c, subs, hooks, MaxEventJobs, newID)
}
