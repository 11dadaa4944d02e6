#include "app/cli/serve/response_writer.h"

#include "core/base/json.h"
#include "core/sql/engine/database.h"

#include <cerrno>
#include <unistd.h>

namespace helio {

std::string_view wordOf(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::NotFound: return "not-found";
    case Error::Kind::Unreadable: return "unreadable";
    case Error::Kind::Unsupported: return "unsupported";
    case Error::Kind::Corrupt: return "corrupt";
    case Error::Kind::Cancelled: return "cancelled";
    case Error::Kind::Usage: return "usage";
    case Error::Kind::Full: return "full";
    }
    return {};
}

void ResponseWriter::send(std::string_view id, const std::function<void(JsonWriter&)>& members)
{
    std::string line;
    JsonWriter json(line);
    json.beginObject();
    json.key("id").written(id);
    members(json);
    json.endObject();
    line += '\n';
    const std::lock_guard lock(m_mutex);
    for (std::size_t written = 0; written < line.size() && !m_hasFailed;) {
        const ssize_t count = write(m_descriptor, line.data() + written, line.size() - written);
        if (count > 0)
            written += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            m_hasFailed = true;
    }
}

void ResponseWriter::sendError(std::string_view id, const Error& error, const std::vector<std::string>& messages)
{
    send(id, [&](JsonWriter& json) {
        json.key("error").beginObject();
        json.member("kind", wordOf(error.kind));
        json.member("message", error.what);
        if (const auto position = sql::positionIn(error.what)) {
            json.member("line", position->line);
            json.member("column", position->column);
        }
        if (!messages.empty()) {
            json.key("messages").beginArray();
            for (const std::string& message : messages)
                json.value(message);
            json.endArray();
        }
        json.endObject();
    });
}

} // namespace helio
