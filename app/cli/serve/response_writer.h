#pragma once

#include "core/base/result.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class JsonWriter;

/// Returns the word for the kind of an error in responses, e.g. "usage".
std::string_view wordOf(Error::Kind kind);

/// Writes responses to a file descriptor, one line of JSON each.
/// Threads: any.
/// Errors: after a failed write, e.g. because the client has ended, all later responses are dropped.
class ResponseWriter {
public:
    /// Ownership: the descriptor stays the caller's.
    explicit ResponseWriter(int descriptor)
        : m_descriptor(descriptor)
    {
    }

    /// Writes the object {"id":ID, MEMBERS}; `id` is JSON text.
    void send(std::string_view id, const std::function<void(JsonWriter&)>& members);
    /// Writes the response to a request that failed. `messages` are warnings that came before.
    void sendError(std::string_view id, const Error& error, const std::vector<std::string>& messages = {});

    /// True if a write failed.
    bool hasFailed() const { return m_hasFailed; }

private:
    int m_descriptor;
    std::mutex m_mutex; ///< Keeps lines apart.
    std::atomic<bool> m_hasFailed = false;
};

} // namespace helio
