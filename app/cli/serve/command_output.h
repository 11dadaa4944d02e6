#pragma once

#include "app/cli/output/redirection.h"
#include "app/cli/serve/request_queue.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace helio {

class JsonWriter;
class ResponseWriter;

/// Output of a command that runs for a request: sends rows and text as they come, and keeps all else for the response.
/// Memory: bounded, except for kept text and pictures.
class CommandOutput final : public OutputReceiver {
public:
    enum class Form {
        Kept, ///< Text is kept.
        Text, ///< Text is sent unchanged.
        Rows, ///< Rows of JSON tables are sent as arrays, and other text unchanged.
    };
    /// `dropped`: messages that are not sent.
    CommandOutput(const RequestQueue::Task& task, ResponseWriter& responses, Form form, const std::set<std::string>& dropped);

    bool output(std::string_view text) override;
    void warning(const std::string& what) override;
    void failed(const Error& error) override;
    RowForm beginTable(const std::vector<std::string>& columns, const TimeStyle& times, bool canBeArrays) override;
    void picture(std::string_view bytes) override { m_picture = bytes; }
    std::stop_token stop() const override { return m_task.stop; }

    const std::string& text() const { return m_text; } ///< Kept text.
    const std::string& picture() const { return m_picture; } ///< Bytes of the picture; empty if none was drawn.
    const std::vector<std::string>& messages() const { return m_messages; }
    const std::optional<Error>& error() const { return m_error; }

    /// Sends the last response to the request: an error if the command failed or was cancelled, else the result with the exit status, the
    /// number of rows, the messages, and what `members` writes.
    void finish(int status, const std::function<void(JsonWriter&)>& members = {});

private:
    void sendRows(std::string_view lines);

    RequestQueue::Task m_task;
    ResponseWriter& m_responses;
    Form m_form;
    const std::set<std::string>& m_dropped;
    bool m_isTable = false; ///< True if the text is rows of a table.
    std::string m_text; ///< Kept text, or the begin of a row.
    std::uint64_t m_rows = 0;
    std::vector<std::string> m_messages;
    std::string m_picture;
    std::optional<Error> m_error;
};

} // namespace helio
