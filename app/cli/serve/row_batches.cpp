#include "app/cli/serve/row_batches.h"

#include "app/cli/serve/response_writer.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

#include <QByteArray>

#include <charconv>
#include <cmath>
#include <string_view>

namespace helio {
namespace {

constexpr std::size_t BatchBytes = 64 << 10;
constexpr std::chrono::milliseconds LongestWait{200};

void appendReal(std::string& out, double number)
{
    if (std::isinf(number)) {
        out += number > 0 ? "1e999" : "-1e999";
        return;
    }
    char digits[32];
    const std::string_view text(digits, std::size_t(std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
    out += text;
    if (text.find_first_of(".e") == std::string_view::npos)
        out += ".0";
}

} // namespace

void appendSqlValue(std::string& out, const sql::Value& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        out += std::to_string(*integer);
    } else if (const auto* real = std::get_if<double>(&value); real && !std::isnan(*real)) {
        appendReal(out, *real);
    } else if (const auto* text = std::get_if<std::string>(&value); text && isUtf8(*text)) {
        appendJson(out, *text);
    } else if (text) {
        out += "{\"base64\":\"";
        out += QByteArray::fromRawData(text->data(), qsizetype(text->size())).toBase64().toStdString();
        out += "\"}";
    } else {
        out += "null";
    }
}

void RowBatches::columns(std::span<const std::string> names)
{
    m_responses.send(m_id, [names](JsonWriter& json) {
        json.key("columns").beginArray();
        for (const std::string& name : names)
            json.value(name);
        json.endArray();
    });
}

bool RowBatches::row(std::span<const sql::Value> values)
{
    if (m_batch.empty())
        m_begin = Clock::now();
    else
        m_batch += ',';
    m_batch += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            m_batch += ',';
        appendSqlValue(m_batch, values[i]);
    }
    m_batch += ']';
    ++m_count;
    if (m_batch.size() >= BatchBytes || Clock::now() - m_begin > LongestWait)
        send();
    return !m_responses.hasFailed();
}

void RowBatches::send()
{
    if (m_batch.empty())
        return;
    m_responses.send(m_id, [this](JsonWriter& json) { json.key("rows").written('[' + m_batch + ']'); });
    m_batch.clear();
}

} // namespace helio
