#include "core/fleet/summary_line.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <optional>
#include <simdjson.h>

namespace helio::fleet {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t MostTextBytes = 64u << 10; ///< Longest text of a member that is read.
constexpr std::size_t MostElements = 10'000; ///< Largest number of elements of an array that is read.

std::int64_t inNanoseconds(Duration duration) { return duration.count(); }

void writeOptional(JsonWriter& json, const char* name, const std::optional<std::int64_t>& number)
{
    json.key(name);
    number ? json.value(*number) : json.null();
}

void write(JsonWriter& json, const SummaryFinding& it)
{
    json.beginObject();
    json.member("finder", it.finder);
    json.member("subject", it.subject);
    json.member("text", it.text);
    json.member("detail", it.detail);
    json.member("explained_ns", inNanoseconds(it.explained));
    json.member("share", it.share);
    json.member("begin_ns", it.beginNs);
    json.member("end_ns", it.endNs);
    json.member("host", it.host);
    json.member("occurrences", it.occurrences);
    json.member("color", it.color);
    json.member("check", it.check);
    json.endObject();
}

void write(JsonWriter& json, const SummaryLatency& it)
{
    json.beginObject();
    json.member("kind", it.kind);
    json.member("name", it.name);
    json.member("count", it.digest.count());
    json.member("total_ns", inNanoseconds(it.digest.total()));
    json.member("min_ns", inNanoseconds(it.digest.least()));
    json.member("p50_ns", inNanoseconds(it.median));
    json.member("p90_ns", inNanoseconds(it.p90));
    json.member("p99_ns", inNanoseconds(it.p99));
    json.member("max_ns", inNanoseconds(it.digest.most()));
    json.member("histogram", it.digest.text());
    json.endObject();
}

void write(JsonWriter& json, const SummaryNote& it)
{
    json.beginObject();
    json.member("text", it.text);
    json.member("problem", it.isProblem);
    json.endObject();
}

template <typename T> void writeAll(JsonWriter& json, const char* name, const std::vector<T>& all)
{
    json.key(name).beginArray();
    for (const T& it : all)
        write(json, it);
    json.endArray();
}

void writeFacts(JsonWriter& json, const TraceSummary& it)
{
    json.member("identity", it.identity);
    json.member("uuid", it.uuid);
    json.member("host", it.host);
    json.member("boot", it.boot);
    json.member("kernel", it.kernel);
    json.member("format", it.format);
    json.member("reader", it.reader);
    writeOptional(json, "begin_ns", it.beginNs);
    writeOptional(json, "end_ns", it.endNs);
    json.member("traces", it.traces);
    json.member("events", it.events);
    json.member("lost_events", it.lostEvents);
    json.member("lost_packets", it.lostPackets);
    json.member("gaps", it.gaps);
    json.member("streams", it.streams);
    json.member("cpus", it.cpus);
    json.member("bytes", it.bytes);
    json.member("cpu_busy_share", it.cpuBusyShare);
    writeAll(json, "findings", it.findings);
    json.member("more_findings", it.moreFindings);
    writeAll(json, "quality", it.quality);
    writeAll(json, "latencies", it.latencies);
}

/// Reads the members of an object. Keeps the first error; later members are then empty.
class MemberReader {
public:
    MemberReader(dom::object object, std::string prefix, std::optional<Error>& error)
        : m_object(object)
        , m_prefix(std::move(prefix))
        , m_error(error)
    {
    }

    /// Returns a text; empty if the member is missing or null.
    std::string text(const char* name)
    {
        std::string_view text;
        const auto value = find(name);
        if (value && value->get_string().get(text) != simdjson::SUCCESS)
            fail(name, "not a text");
        else if (text.size() > MostTextBytes)
            fail(name, "the text is too long");
        return m_error ? std::string() : std::string(text);
    }

    /// Returns an integer that is not negative, at most INT64_MAX; 0 if the member is missing or null.
    std::uint64_t count(const char* name)
    {
        const std::int64_t number = integer(name).value_or(0);
        if (number < 0)
            fail(name, "negative");
        return m_error ? 0 : static_cast<std::uint64_t>(number);
    }
    Duration duration(const char* name) { return Duration(static_cast<std::int64_t>(count(name))); }

    std::optional<std::int64_t> integer(const char* name)
    {
        std::int64_t number = 0;
        const auto value = find(name);
        if (!value)
            return {};
        if (value->get_int64().get(number) != simdjson::SUCCESS)
            fail(name, "not a whole number");
        return m_error ? std::nullopt : std::optional(number);
    }

    std::optional<double> real(const char* name)
    {
        double number = 0;
        const auto value = find(name);
        if (!value)
            return {};
        if (value->get_double().get(number) != simdjson::SUCCESS)
            fail(name, "not a number");
        return m_error ? std::nullopt : std::optional(number);
    }

    bool flag(const char* name)
    {
        bool flag = false;
        if (const auto value = find(name); value && value->get_bool().get(flag) != simdjson::SUCCESS)
            fail(name, "neither true nor false");
        return !m_error && flag;
    }

    /// Calls `take` with a reader for each object of an array.
    template <typename Take> void each(const char* name, const Take& take)
    {
        const auto value = find(name);
        dom::array array;
        if (!value)
            return;
        if (value->get_array().get(array) != simdjson::SUCCESS)
            return fail(name, "not an array");
        std::size_t index = 0;
        for (const dom::element element : array) {
            dom::object object;
            if (element.get_object().get(object) != simdjson::SUCCESS)
                return fail(name, "element " + std::to_string(index) + " is not an object");
            if (index == MostElements)
                return fail(name, "more than " + std::to_string(MostElements) + " elements");
            MemberReader reader(object, m_prefix + name + '[' + std::to_string(index++) + "].", m_error);
            take(reader);
            if (m_error)
                return;
        }
    }

    /// Calls `take` with name and text of each member of an object whose values are texts.
    template <typename Take> void eachText(const char* name, const Take& take)
    {
        const auto value = find(name);
        dom::object object;
        if (!value)
            return;
        if (value->get_object().get(object) != simdjson::SUCCESS)
            return fail(name, "not an object");
        std::size_t number = 0;
        for (const dom::key_value_pair member : object) {
            std::string_view text;
            if (member.value.get_string().get(text) != simdjson::SUCCESS || text.size() > MostTextBytes
                || member.key.size() > MostTextBytes)
                return fail(name, "a member is not a text");
            if (++number > MostElements)
                return fail(name, "more than " + std::to_string(MostElements) + " members");
            take(std::string(member.key), std::string(text));
        }
    }

    void fail(const char* name, const std::string& what)
    {
        if (!m_error)
            m_error = Error{Error::Kind::Corrupt, "member \"" + m_prefix + name + "\": " + what};
    }

private:
    /// Returns a member; nullopt if it is missing or null, or after an error.
    std::optional<dom::element> find(const char* name)
    {
        dom::element element;
        if (m_error || m_object[name].get(element) != simdjson::SUCCESS || element.is_null())
            return {};
        return element;
    }

    dom::object m_object;
    std::string m_prefix; ///< Names of the members that contain the object, as error messages show them.
    std::optional<Error>& m_error;
};

SummaryFinding readFinding(MemberReader& reader)
{
    SummaryFinding it;
    it.finder = reader.text("finder");
    it.subject = reader.text("subject");
    it.text = reader.text("text");
    it.detail = reader.text("detail");
    it.explained = reader.duration("explained_ns");
    it.share = reader.real("share").value_or(0);
    it.beginNs = reader.integer("begin_ns").value_or(0);
    it.endNs = reader.integer("end_ns").value_or(0);
    it.host = reader.text("host");
    it.occurrences = reader.count("occurrences");
    it.color = reader.text("color");
    it.check = reader.text("check");
    return it;
}

SummaryLatency readLatency(MemberReader& reader)
{
    SummaryLatency it;
    it.kind = reader.text("kind");
    it.name = reader.text("name");
    it.median = reader.duration("p50_ns");
    it.p90 = reader.duration("p90_ns");
    it.p99 = reader.duration("p99_ns");
    if (const Status read = it.digest.addText(reader.text("histogram")); !read)
        reader.fail("histogram", read.error().what);
    return it;
}

void readFacts(MemberReader& reader, TraceSummary& it)
{
    it.identity = reader.text("identity");
    it.uuid = reader.text("uuid");
    it.host = reader.text("host");
    it.boot = reader.text("boot");
    it.kernel = reader.text("kernel");
    it.format = reader.text("format");
    it.reader = reader.text("reader");
    it.beginNs = reader.integer("begin_ns");
    it.endNs = reader.integer("end_ns");
    it.traces = reader.count("traces");
    it.events = reader.count("events");
    it.lostEvents = reader.count("lost_events");
    it.lostPackets = reader.count("lost_packets");
    it.gaps = reader.count("gaps");
    it.streams = reader.count("streams");
    it.cpus = reader.count("cpus");
    it.bytes = reader.count("bytes");
    it.cpuBusyShare = reader.real("cpu_busy_share");
    reader.each("findings", [&](MemberReader& each) { it.findings.push_back(readFinding(each)); });
    it.moreFindings = reader.count("more_findings");
    reader.each("quality", [&](MemberReader& each) { it.quality.push_back({each.text("text"), each.flag("problem")}); });
    reader.each("latencies", [&](MemberReader& each) { it.latencies.push_back(readLatency(each)); });
}

} // namespace

std::string writeLine(const TraceSummary& summary)
{
    std::string line;
    JsonWriter json(line);
    json.beginObject();
    json.member("summary", LineVersion);
    json.member("path", summary.path);
    json.member("machine", summary.machine);
    json.member("indexed_ns", summary.indexedNs);
    json.member("indexed_by", summary.indexedBy);
    json.member("store_version", summary.storeVersion);
    if (!summary.error.empty())
        json.member("error", summary.error);
    if (!summary.tags.empty()) {
        json.key("tags").beginObject();
        for (const auto& [name, value] : summary.tags)
            json.member(name, value);
        json.endObject();
    }
    if (summary.isReadable())
        writeFacts(json, summary);
    json.endObject();
    return line + '\n';
}

Result<TraceSummary> readLine(std::string_view line)
{
    if (line.size() > MostLineBytes)
        return Error{Error::Kind::Corrupt, "the line is longer than 16 MiB"};
    dom::parser parser;
    dom::object object;
    if (const auto error = parser.parse(line.data(), line.size()).get_object().get(object))
        return Error{Error::Kind::Corrupt, std::string("not an object of JSON: ") + simdjson::error_message(error)};
    std::optional<Error> error;
    MemberReader reader(object, {}, error);
    const auto lineVersion = reader.integer("summary");
    if (!error && !lineVersion)
        return Error{Error::Kind::Corrupt, "not the summary of a trace: it has no member \"summary\""};
    if (!error && *lineVersion != LineVersion)
        return Error{Error::Kind::Unsupported,
                     "a summary of version " + std::to_string(*lineVersion) + "; this program reads version "
                         + std::to_string(LineVersion)};
    TraceSummary it;
    it.path = reader.text("path");
    it.machine = reader.text("machine");
    it.indexedNs = reader.integer("indexed_ns").value_or(0);
    it.indexedBy = reader.text("indexed_by");
    it.storeVersion = reader.text("store_version");
    it.error = reader.text("error");
    reader.eachText("tags", [&](std::string name, std::string value) { it.tags.emplace_back(std::move(name), std::move(value)); });
    readFacts(reader, it);
    if (!error && it.path.empty())
        reader.fail("path", "missing");
    if (!error && it.identity.empty() && it.error.empty())
        reader.fail("identity", "missing, although there is no member \"error\"");
    return error ? Result<TraceSummary>(*error) : Result<TraceSummary>(std::move(it));
}

} // namespace helio::fleet
