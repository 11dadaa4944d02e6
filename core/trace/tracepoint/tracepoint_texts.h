#pragma once

#include "core/io/helper_process.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>

namespace helio::tracepoint {

/// The program that prints tracepoints with libtraceevent. It is a process of its own, because hostile format files and records crash that
/// library easily.
constexpr HelperProgram TraceEvent{"heliograph-traceevent", "libtraceevent"};

/// Kinds of messages to and from the program. Numbers have the byte order of the machine.
enum class TextMessage : std::uint8_t {
    Kernel, ///< To the program, first: u8 is big-endian, u8 size of long, u32 page size, u64 size of symbols, symbols, printk formats.
    Format, ///< To the program, before the first record of a tracepoint: its system, NUL, its format file.
    Record, ///< To the program: i32 CPU, raw data.
    Text, ///< From the program, for each record: its text.
    NoText, ///< From the program, for each record whose format cannot be parsed.
};

/// Prints the raw data of tracepoints by their print formats, as `trace-cmd report` does.
///
/// Threads: to be used by one thread at a time.
/// Ownership: `data` must outlive the object.
/// Cost: the first text starts a process, which may take a second to read the kernel's symbols; about 10 us for each further text.
class TracepointTexts {
public:
    explicit TracepointTexts(const TracingData& data)
        : m_data(data)
    {
    }

    /// Appends the text of a tracepoint's raw data. Returns false if the format of tracepoint `id` is unknown or unusable.
    bool append(std::string& text, std::uint64_t id, std::int32_t cpu, std::span<const std::byte> record);

private:
    bool start();
    bool sendFormat(std::uint64_t id);

    const TracingData& m_data;
    std::unique_ptr<HelperProcess> m_process;
    std::set<std::uint64_t> m_sent; ///< Ids of the tracepoints whose formats the process has.
    std::set<std::uint64_t> m_unusable; ///< Ids of the tracepoints whose records have no texts.
    int m_starts = 0; ///< Number of processes started so far.
    std::vector<std::byte> m_message;
};

} // namespace helio::tracepoint
