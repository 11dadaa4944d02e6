#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Socket by which other processes of the user ask a recording with a ring buffer to save its content.
///
/// The socket is $XDG_RUNTIME_DIR/heliograph/record-PID, or /tmp/heliograph-UID/record-PID; its folder is closed to other users.
/// Threads: to be used by one thread.
class DumpSocket {
public:
    /// Errors: the folder belongs to another user, or the socket cannot be made.
    static Result<std::unique_ptr<DumpSocket>> open();
    ~DumpSocket(); ///< Removes the socket. Requests without an answer get an error.
    DumpSocket(const DumpSocket&) = delete;
    DumpSocket& operator=(const DumpSocket&) = delete;

    int descriptor() const { return m_socket; } ///< Readable if there is a request.
    bool takeRequest(); ///< Returns true if a process has asked since the last call. Does not wait.
    /// Answers all processes that have asked: with the saved recording, or with "error: " and a reason.
    void answer(const std::string& text);

private:
    DumpSocket() = default;

    std::filesystem::path m_path;
    int m_socket = -1;
    std::vector<int> m_waiting; ///< Connections of the processes that wait for an answer.
};

/// Asks the running recordings of the user to save their ring buffers, and waits up to 20 s for each answer.
/// Returns the saved recordings.
/// Errors: NotFound if no such recording runs; Unreadable if none could save.
Result<std::vector<std::string>> requestDumps();

} // namespace helio
