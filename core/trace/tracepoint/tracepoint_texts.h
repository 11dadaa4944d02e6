#pragma once

#include "core/helper/helper_process.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace helio::tracepoint {

/// The helper program that prints tracepoints with libtraceevent. It runs as a separate process, because malformed format files and records
/// crash that library easily.
constexpr HelperProgram TraceEvent{"heliograph-traceevent", "libtraceevent"};

/// Kinds of messages to and from the helper program heliograph-traceevent. Numbers in messages have the byte order of the machine.
enum class TextMessage : std::uint8_t {
    Kernel, ///< To the program, first: u8 is big-endian, u8 size of long, u32 page size, u64 size of symbols, symbols, printk formats.
    Format, ///< To the program, before the first record of a tracepoint: its u64 id, its system, NUL, its format file.
    Record, ///< To the program: the u64 id of its tracepoint, i32 CPU, raw data.
    Text, ///< From the program, for each record: its text.
    NoText, ///< From the program, for each record whose format cannot be parsed.
};

/// Raw data of a tracepoint that is to be printed.
/// Ownership: a view.
struct RawRecord {
    std::uint64_t id = 0; ///< Id of the tracepoint.
    std::int32_t cpu = -1;
    std::span<const std::byte> data;
};

/// Prints the raw data of tracepoints by their print formats, as `trace-cmd report` does, but always in one line.
///
/// Threads: only one thread at a time may use the object.
/// Ownership: `data` must outlive the object.
/// Cost: the first call starts a process, which may take a second to read the kernel's symbols; each further call takes about 20 us, and
/// 2 us for each record.
class TracepointTexts {
public:
    explicit TracepointTexts(const TracingData& data)
        : m_data(data)
    {
    }

    /// Returns the texts of all records; nullopt for each record whose format is unknown or unusable.
    std::vector<std::optional<std::string>> print(std::span<const RawRecord> records);

private:
    bool start();
    bool isUsable(const RawRecord& record);
    std::size_t printSome(std::span<const RawRecord> records, std::span<std::optional<std::string>> texts);
    void sendFormat(std::uint64_t id);

    const TracingData& m_data;
    std::unique_ptr<HelperProcess> m_process;
    std::set<std::uint64_t> m_sent; ///< Ids of the tracepoints whose format files were sent to the helper process.
    std::set<std::uint64_t> m_unusable; ///< Ids of the tracepoints that cannot be printed; they are not tried again.
    int m_starts = 0; ///< Number of helper processes started so far.
    std::vector<std::byte> m_message;
};

} // namespace helio::tracepoint
