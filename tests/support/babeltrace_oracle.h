#pragma once

#include "core/trace/fields/field_value.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Reference reader for tests: reads a CTF trace with libbabeltrace2, message by message, without Heliograph's readers.
/// Threads: one thread only.
/// Errors: end the sequence of messages; problem() returns the message.
class BabeltraceOracle {
public:
    /// Names of the trace's streams; empty, with a message in `problem`, if the library cannot open the trace.
    static std::vector<std::string> streams(const std::vector<std::filesystem::path>& folders, std::string& problem);

    /// Reads one stream by its index in streams(), or all streams in the muxer's order.
    explicit BabeltraceOracle(const std::vector<std::filesystem::path>& folders, std::optional<std::uint64_t> stream = {});
    ~BabeltraceOracle();

    enum class Kind { Event, Loss, End };

    /// Advances to the next event or loss and returns its kind.
    Kind next();

    // The following functions describe the event that next() read last.
    std::int64_t time() const; ///< Time in ns; 0 if the stream has no clock.
    std::int64_t cpu() const; ///< cpu_id of the packet context; -1 without this field.
    const char* name() const;
    /// True if the event is the first of a packet. Returns true only once for an event: a second call returns false.
    bool isFirstOfPacket();

    /// Context fields as `name=value` lines, in the format of textOf().
    std::string contextText() const;
    std::string payloadText() const;
    /// Returns the value of an integer field at the top level of the current event's payload; -1 if the event has no such field.
    std::int64_t payloadNumber(const char* field) const;
    std::vector<std::string> packetTexts() const; ///< Fields of the packet context, one string for each.

    // The following functions describe the loss that next() read last.
    std::uint64_t lostEvents() const;
    std::uint64_t lostPackets() const;
    /// Beginning and end of the loss in ns; empty for lost packets.
    std::optional<std::pair<std::int64_t, std::int64_t>> lossTimes() const;

    const std::string& problem() const { return m_problem; }

private:
    struct Graph;
    std::unique_ptr<Graph> m_graph;
    std::string m_problem;
};

/// Formats decoded fields as text that is equal for Heliograph's reader and for libbabeltrace2.
std::string textOf(const std::vector<NamedValue>& fields);
std::string textOf(const NamedValue& field);

} // namespace helio
