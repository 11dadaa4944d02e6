#include "app/cli/serve/command_output.h"

#include "app/cli/serve/response_writer.h"
#include "core/base/json.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t MostMessages = 100;

} // namespace

CommandOutput::CommandOutput(const RequestQueue::Task& task, ResponseWriter& responses, Form form, const std::set<std::string>& dropped)
    : m_task(task)
    , m_responses(responses)
    , m_form(form)
    , m_dropped(dropped)
{
}

bool CommandOutput::output(std::string_view text)
{
    if (m_task.stop.stop_requested())
        return false;
    if (m_form == Form::Kept) {
        m_text += text;
    } else if (!m_isTable) {
        m_responses.send(m_task.request.id, [text](JsonWriter& json) { json.member("output", text); });
    } else {
        const std::size_t end = text.rfind('\n');
        m_text += text.substr(0, end + 1);
        if (end != std::string_view::npos) {
            sendRows(m_text);
            m_text = text.substr(end + 1);
        }
    }
    return !m_responses.hasFailed();
}

/// Sends complete rows, one per line.
void CommandOutput::sendRows(std::string_view lines)
{
    m_responses.send(m_task.request.id, [&](JsonWriter& json) {
        json.key("rows").beginArray();
        for (std::size_t begin = 0; begin < lines.size();) {
            const std::size_t end = std::min(lines.find('\n', begin), lines.size());
            json.written(lines.substr(begin, end - begin));
            begin = end + 1;
            ++m_rows;
        }
        json.endArray();
    });
}

void CommandOutput::warning(const std::string& what)
{
    if (m_messages.size() < MostMessages && !m_dropped.contains(what))
        m_messages.push_back(what);
}

void CommandOutput::failed(const Error& error)
{
    if (!m_error)
        m_error = error;
}

OutputReceiver::RowForm CommandOutput::beginTable(const std::vector<std::string>& columns, const TimeStyle&, bool canBeArrays)
{
    if (m_form != Form::Rows || !canBeArrays)
        return RowForm::Printed;
    if (m_isTable)
        return RowForm::Arrays;
    m_isTable = true;
    m_responses.send(m_task.request.id, [&columns](JsonWriter& json) {
        json.key("columns").beginArray();
        for (const std::string& column : columns)
            json.value(column);
        json.endArray();
    });
    return RowForm::Arrays;
}

void CommandOutput::finish(int status, const std::function<void(JsonWriter&)>& members)
{
    const std::string& id = m_task.request.id;
    m_task.releaseId();
    if (m_task.stop.stop_requested())
        return m_responses.sendError(id, {Error::Kind::Cancelled, "the request was cancelled"});
    if (m_error)
        return m_responses.sendError(id, *m_error, m_messages);
    m_responses.send(id, [&](JsonWriter& json) {
        json.key("result").beginObject();
        if (members)
            members(json);
        if (m_isTable)
            json.member("rows", m_rows);
        json.member("status", std::int64_t(status));
        json.key("messages").beginArray();
        for (const std::string& message : m_messages)
            json.value(message);
        json.endArray();
        json.endObject();
    });
}

} // namespace helio
