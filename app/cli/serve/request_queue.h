#pragma once

#include "app/cli/serve/request.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>

namespace helio {

/// Requests that wait to be executed, in the order of their arrival, and the request that is being executed.
/// Threads: any; one thread adds requests, and one thread takes them.
class RequestQueue {
public:
    /// A request and the token by which it is cancelled.
    struct Task {
        ServeRequest request;
        std::stop_token stop;
        RequestQueue* queue = nullptr; ///< Queue that the request was taken from.

        /// Makes the ID available for another request; must be called before the last response is written, after which the client may use
        /// the ID again.
        void releaseId() const { queue->releaseId(); }
    };

    /// Appends a request.
    /// Errors: Full if too many requests wait; Usage if a request with the same ID waits or runs.
    Status add(ServeRequest request);
    /// Waits for a request and returns it; it then runs until Task::releaseId(), or until the following call. Returns nullopt if no more
    /// requests will come.
    std::optional<Task> take();
    /// Requests the stop of a request. Returns false if no request with this ID waits or runs.
    bool cancel(std::string_view id);
    /// Requests the stop of all requests that wait or run.
    void cancelAll();
    /// Ends the waiting of take() once all requests are taken; called when the input ends.
    void close();

private:
    void releaseId();

    struct Entry {
        ServeRequest request;
        std::stop_source stop;
    };

    std::mutex m_mutex; ///< Guards all members.
    std::condition_variable m_changed;
    std::deque<Entry> m_waiting;
    std::optional<Entry> m_running;
    std::size_t m_bytes = 0; ///< Length of the waiting requests together.
    bool m_isClosed = false;
};

} // namespace helio
