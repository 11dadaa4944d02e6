#pragma once

#include "app/cli/output/table_writer.h"
#include "core/base/result.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Receives what a command prints and draws, if the command runs inside a server, another command or the window.
/// Threads: called by the thread that runs the command.
class OutputReceiver {
public:
    virtual ~OutputReceiver() = default;

    /// Takes a part of the standard output. Returning false ends the command like a full disk.
    virtual bool output(std::string_view text) = 0;
    /// Takes a message about the input or the result, which has no line end.
    virtual void warning(const std::string& what) = 0;
    /// Takes the reason why the command failed.
    virtual void failed(const Error& error) = 0;

    /// Form in which a receiver takes the rows of a table.
    enum class RowForm : std::uint8_t {
        Printed, ///< Through output(), in the format of the command.
        Arrays, ///< Through output(), each as a JSON array of the values on a line of its own.
        Cells, ///< Through row().
    };
    /// Called before the rows of a table. `canBeArrays`: false if the command does not print JSON rows, so that Arrays is not possible.
    virtual RowForm beginTable(const std::vector<std::string>& columns, const TimeStyle& times, bool canBeArrays) = 0;
    virtual void row(const std::vector<Cell>&) { } ///< Takes a row of a table whose form is Cells.
    virtual void endTable() { } ///< Called after the last row of a table whose form is Cells.

    /// Takes the bytes of a picture, in place of the file that the command would write.
    virtual void picture(std::string_view bytes) = 0;
    /// Returns the token by which the command is cancelled.
    virtual std::stop_token stop() const = 0;
};

/// Passes the output of the commands of this thread to a receiver while the object exists; then to the receiver before, if there was one.
class OutputRedirection {
public:
    explicit OutputRedirection(OutputReceiver& receiver);
    ~OutputRedirection();
    OutputRedirection(const OutputRedirection&) = delete;
    OutputRedirection& operator=(const OutputRedirection&) = delete;

private:
    OutputReceiver* m_outer;
};

/// Returns the receiver of the output of this thread; nullptr if the output goes to the standard streams and to files.
OutputReceiver* outputReceiver();

/// Returns the token by which the running command is cancelled; a token that is never requested if the output is not redirected.
std::stop_token commandStop();

/// Exception that ends a cancelled command where it writes output. Its result is incomplete and must be dropped.
struct CommandCancelled { };

} // namespace helio
