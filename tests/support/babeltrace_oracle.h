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

/// Reads a CTF trace with libbabeltrace2, message by message and without Heliograph's readers: the reference that tests compare with.
/// Threads: one thread only.
/// Errors: end the sequence; problem() says what happened.
class BabeltraceOracle {
public:
    /// Returns the names of the trace's streams; empty, with a problem, if the library cannot open it.
    static std::vector<std::string> streams(const std::vector<std::filesystem::path>& folders, std::string& problem);

    /// Reads one stream by its index in streams(), or all streams in the muxer's order.
    explicit BabeltraceOracle(const std::vector<std::filesystem::path>& folders, std::optional<std::uint64_t> stream = {});
    ~BabeltraceOracle();

    enum class Kind { Event, Loss, End };

    /// Steps to the next event or loss.
    Kind next();

    // Properties of the current event:
    std::int64_t time() const; ///< In ns; 0 if the stream has no clock.
    std::int64_t cpu() const; ///< The packet context's cpu_id, or -1.
    const char* name() const;
    bool isFirstOfPacket(); ///< True once for each packet: a second call for the same event returns false.

    /// Context fields as `name=value` lines in the canonical format of textOf().
    std::string contextText() const;
    std::string payloadText() const;
    std::vector<std::string> packetTexts() const; ///< One text for each member.

    // Properties of the current loss:
    std::uint64_t lostEvents() const;
    std::uint64_t lostPackets() const;
    std::optional<std::pair<std::int64_t, std::int64_t>> lossTimes() const; ///< Beginning and end in ns; empty for lost packets.

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
