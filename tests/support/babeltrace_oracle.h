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

/// What libbabeltrace2 says a CTF trace holds, read message by message with nothing of our readers in between: tests compare with it.
/// One thread. Errors end the sequence and are reported by problem().
class BabeltraceOracle {
public:
    /// The trace's streams; empty, with a problem, where the library cannot open it.
    static std::vector<std::string> streams(const std::vector<std::filesystem::path>& folders, std::string& problem);

    /// One stream by its number in streams(), or all in the muxer's order.
    explicit BabeltraceOracle(const std::vector<std::filesystem::path>& folders, std::optional<std::uint64_t> stream = {});
    ~BabeltraceOracle();

    enum class Kind { Event, Loss, End };

    /// Steps to the next event or loss.
    Kind next();

    // Of the event:
    std::int64_t time() const; ///< ns; 0 where the stream has no clock.
    std::int64_t cpu() const; ///< The packet context's cpu_id, or -1.
    const char* name() const;
    bool isFirstOfPacket(); ///< Once: asking again says no.

    /// `name=value` lines of a canonical text; the same as textOf() makes.
    std::string contextText() const;
    std::string payloadText() const;
    std::vector<std::string> packetTexts() const; ///< One for each member.

    // Of the loss:
    std::uint64_t lostEvents() const;
    std::uint64_t lostPackets() const;
    std::optional<std::pair<std::int64_t, std::int64_t>> lossTimes() const; ///< Begin and end in ns; nothing for lost packets.

    const std::string& problem() const { return m_problem; }

private:
    struct Graph;
    std::unique_ptr<Graph> m_graph;
    std::string m_problem;
};

/// The canonical text of decoded fields.
std::string textOf(const std::vector<NamedValue>& fields);
std::string textOf(const NamedValue& field);

} // namespace helio
