#include "core/formats/perf_data/jit_dump.h"

#include "core/trace/fields/binary_reader.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace helio::perf {
namespace {

constexpr std::uint32_t DumpMagic = 0x4a695444; ///< Magic number at the beginning of a jitdump file: the text "JiTD".
constexpr std::uint32_t DumpVersion = 1;
constexpr std::uint64_t LeastHeaderSize = 40;
constexpr std::uint64_t RecordHeaderBytes = 16;
constexpr std::uint64_t ArchTimestamps = 1; ///< Header flag JITDUMP_FLAGS_ARCH_TIMESTAMP: times are ticks of the processor's clock.
/// Limit of the size of all stored names, as a multiple of the file's size. Names can become larger than the file if source lines alternate
/// between two files, because each change stores a file name again.
constexpr std::uint64_t MostTextRatio = 16;
constexpr std::string_view SameFile = "\xff"; ///< File name of a source line that means: the same file as the preceding source line.

enum class JitRecord : std::uint32_t { Load, Move, DebugInfo, Close, UnwindingInfo };

struct Line {
    std::uint64_t address = 0; ///< Address of the first byte of the line's code.
    std::uint32_t line = 0;
    std::string_view file;
};

class DumpReader {
public:
    DumpReader(std::span<const std::byte> file, ByteOrder order)
        : m_file(file)
        , m_order(order)
    {
    }

    Result<JitDump> read()
    {
        BinaryReader header(m_file, m_order);
        header.skip(4); // Skips the magic number.
        const std::uint32_t version = header.u32();
        const std::uint64_t headerSize = header.u32();
        header.skip(8); // Skips the machine type and padding.
        m_dump.pid = header.u32();
        header.skip(8); // Skips the time at which the compiler created the file.
        m_dump.isMonotonic = (header.u64() & ArchTimestamps) == 0;
        if (header.isCut() || headerSize < LeastHeaderSize || headerSize > m_file.size())
            return Error{Error::Kind::Corrupt, "the file ends within its header"};
        if (version != DumpVersion)
            return Error{Error::Kind::Unsupported, "version " + std::to_string(version) + " of the jitdump format is not supported"};
        readRecords(headerSize);
        return std::move(m_dump);
    }

private:
    void readRecords(std::uint64_t at)
    {
        while (at < m_file.size()) {
            BinaryReader head(m_file.subspan(at), m_order);
            const auto type = static_cast<JitRecord>(head.u32());
            const std::uint64_t size = head.u32();
            const std::uint64_t time = head.u64();
            if (head.isCut() || size > m_file.size() - at)
                return report("truncated-record", at, "the jitdump file ends within a record");
            if (size < RecordHeaderBytes)
                return report("damaged-record", at, "a record of the jitdump file is smaller than 16 bytes; the rest is ignored");
            m_at = at;
            m_time = time;
            if (type == JitRecord::Close)
                return;
            take(type, BinaryReader(m_file.subspan(at + RecordHeaderBytes, size - RecordHeaderBytes), m_order));
            at += size;
        }
    }

    void take(JitRecord type, BinaryReader body)
    {
        switch (type) {
        case JitRecord::Load: return takeLoad(body);
        case JitRecord::Move: return takeMove(body);
        case JitRecord::DebugInfo: return takeLines(body);
        case JitRecord::Close:
        // Unwinding information is not used: call chains through JIT-compiled code need frame pointers.
        case JitRecord::UnwindingInfo: return;
        }
        report("unknown-record", m_at, "unknown record type " + std::to_string(static_cast<std::uint32_t>(type)) + " in the jitdump file");
    }

    void takeLoad(BinaryReader body)
    {
        body.skip(16); // Skips pid, tid and the virtual address, which equals the code's address.
        const std::uint64_t address = body.u64();
        const std::uint64_t size = body.u64();
        body.skip(8); // Skips the function's index.
        const std::string_view name = body.line();
        // The record must contain the machine code after the name. A damaged record without the code could claim any size.
        if (body.isCut() || size == 0 || size > body.left() || size > ~address)
            return report("damaged-record", m_at, "a function of the jitdump file is damaged");
        const std::uint64_t number = addFunction(name, address, size);
        m_last[address] = m_dump.code.size();
        m_dump.code.push_back({m_time, address, size, number});
    }

    /// Adds a function to JitDump::names, with one range of code for each source line. Returns the number of the function's first byte.
    std::uint64_t addFunction(std::string_view name, std::uint64_t address, std::uint64_t size)
    {
        std::vector<Line> lines = std::move(m_lines);
        m_lines.clear();
        if (m_dump.names->textBytes() / MostTextRatio > m_file.size())
            lines.clear();
        std::erase_if(lines, [&](const Line& it) { return it.address - address >= size; });
        std::ranges::stable_sort(lines, {}, &Line::address);
        RecordedNames& names = *m_dump.names;
        std::optional<std::uint64_t> first;
        const auto add = [&](std::uint64_t begin, std::uint64_t end, const Line& line) {
            if (begin == end)
                return;
            const std::uint64_t number = names.addCode({name, begin, false, line.file, line.line}, end - begin);
            first = first.value_or(number);
        };
        std::uint64_t at = 0;
        for (std::size_t i = 0; i <= lines.size(); ++i) {
            const std::uint64_t next = i < lines.size() ? lines[i].address - address : size;
            add(at, next, i > 0 ? lines[i - 1] : Line{});
            at = next;
        }
        return first.value_or(0);
    }

    void takeMove(BinaryReader body)
    {
        body.skip(16); // Skips pid, tid and the virtual address.
        const std::uint64_t from = body.u64();
        const std::uint64_t to = body.u64();
        const std::uint64_t size = body.u64();
        const auto found = m_last.find(from);
        if (body.isCut() || found == m_last.end() || size > ~to)
            return report("damaged-record", m_at, "the jitdump file moves a function that it does not contain");
        JitCode moved = m_dump.code[found->second];
        moved.time = m_time;
        moved.address = to;
        moved.size = std::min(moved.size, size);
        m_last.erase(found);
        m_last[to] = m_dump.code.size();
        m_dump.code.push_back(moved);
    }

    /// Reads a DebugInfo record: the source lines of the function that the following Load record adds.
    void takeLines(BinaryReader body)
    {
        m_lines.clear();
        body.skip(8); // Skips the function's address, which each line repeats.
        std::string_view file;
        for (std::uint64_t left = body.u64(); left > 0 && !body.isCut(); --left) {
            Line line;
            line.address = body.u64();
            line.line = body.u32();
            body.skip(4); // Skips the discriminator.
            line.file = body.line();
            if (line.file == SameFile)
                line.file = file;
            file = line.file;
            if (!body.isCut())
                m_lines.push_back(line);
        }
        if (body.isCut())
            report("damaged-record", m_at, "source lines of the jitdump file are damaged");
    }

    void report(const char* kind, std::uint64_t offset, std::string what)
    {
        for (Diagnostic& known : m_dump.diagnostics)
            if (known.what == what) {
                ++known.count;
                return;
            }
        constexpr std::size_t Most = 50;
        if (m_dump.diagnostics.size() < Most)
            m_dump.diagnostics.push_back({Diagnostic::Severity::Warning, kind, {}, offset, 1, std::move(what)});
    }

    std::span<const std::byte> m_file;
    ByteOrder m_order;
    JitDump m_dump;
    std::uint64_t m_at = 0; ///< Offset of the current record in the file.
    std::uint64_t m_time = 0; ///< Time of the current record, in the unit of the file (JitDump::isMonotonic).
    std::vector<Line> m_lines; ///< Source lines of the function that the following Load record adds.
    /// Index in JitDump::code of the code that was last placed at an address; keyed by address.
    std::unordered_map<std::uint64_t, std::size_t> m_last;
};

} // namespace

std::optional<std::int32_t> pidOfJitDump(std::string_view path)
{
    std::string_view name = path.substr(path.rfind('/') + 1); // Without a slash, rfind() returns npos, and npos + 1 is 0.
    if (!name.starts_with("jit-") || !name.ends_with(".dump"))
        return {};
    name.remove_prefix(4);
    name.remove_suffix(5);
    std::int32_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    return error == std::errc() && end == name.data() + name.size() && pid >= 0 ? std::optional(pid) : std::nullopt;
}

Result<JitDump> readJitDump(std::span<const std::byte> file)
{
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big})
        if (file.size() >= 4 && loadWord<std::uint32_t>(file.data(), order) == DumpMagic)
            return DumpReader(file, order).read();
    return Error{Error::Kind::Corrupt, "not a jitdump file"};
}

} // namespace helio::perf
