#include "core/formats/trace_dat/description.h"

#include "core/io/unpack.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace helio::tracedat {
namespace {

constexpr std::string_view Magic{"\x17\x08\x44tracing", 10};
constexpr std::uint64_t LargestSections = std::uint64_t{256} << 20; ///< Limit of the uncompressed size of all sections in bytes.
constexpr std::uint32_t MostCpus = 65'536;
constexpr std::uint32_t SmallestPage = 1024; ///< Minimum size of a ring buffer page in bytes.
constexpr std::uint32_t LargestPage = 16 << 20; ///< Maximum size of a ring buffer page in bytes; kernels have at most 64 KiB.
constexpr std::size_t MostFoundBuffers = 1000; ///< Limit for the number of buffers that are found without options.

/// Ids of options, which are ids of sections, too.
enum class OptionId : std::uint16_t {
    Done = 0,
    Date = 1,
    CpuStat = 2,
    Buffer = 3,
    TraceClock = 4,
    Uname = 5,
    Hook = 6,
    Offset = 7,
    CpuCount = 8,
    Version = 9,
    ProcMaps = 10,
    TraceId = 11,
    TimeShift = 12,
    Guest = 13,
    Tsc2Nsec = 14,
    Strings = 15,
    HeaderInfo = 16,
    FtraceEvents = 17,
    EventFormats = 18,
    Symbols = 19,
    PrintkFormats = 20,
    CommandLines = 21,
    BufferText = 22,
    Btf = 23,
    LastBoot = 24,
    Modules = 25,
};

constexpr std::size_t MostClockSamples = 10'000'000; ///< Limit for the number of clock samples (option TIME_SHIFT) of all CPUs together.
constexpr std::size_t MostGuests = 10'000;

/// Returns the id of a recording (option TRACEID) as 16 hex digits.
std::string idText(std::uint64_t id)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; id >>= 4)
        text[i] = Digits[id & 15];
    return text;
}

constexpr std::uint16_t CompressedSection = 1;

/// Returns the word in brackets of a line such as "local global [mono] boot"; empty if there is none.
std::string_view chosenClock(std::string_view text)
{
    const std::size_t begin = text.find('[');
    const std::size_t end = text.find(']', begin);
    return begin == std::string_view::npos || end == std::string_view::npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

/// Parses a number as strtoll() does with base 0: decimal or 0x, with a sign.
std::int64_t numberIn(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex)
        text.remove_prefix(2);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, isHex ? 16 : 10);
    return static_cast<std::int64_t>(isNegative ? 0 - value : value);
}

/// Returns the number after `key` in a text of lines "key: number"; 0 if the text has no such line.
std::uint64_t statistic(std::string_view text, std::string_view key)
{
    std::uint64_t value = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": "))
            continue;
        line.remove_prefix(key.size() + 2);
        std::from_chars(line.data(), line.data() + line.size(), value);
    }
    return value;
}

class Reader {
public:
    explicit Reader(std::span<const std::byte> file)
        : m_file(file)
    {
    }

    Result<Description> read()
    {
        BinaryReader start(m_file, ByteOrder::Little);
        start.skip(Magic.size());
        const std::string_view version = start.line();
        std::from_chars(version.data(), version.data() + version.size(), m_found.version);
        if (m_found.version != 6 && m_found.version != 7)
            return Error{Error::Kind::Unsupported,
                         "version " + std::string(version.substr(0, 16)) + " of trace.dat is not supported; versions 6 and 7 are"};
        if (m_found.version == 6)
            readVersion6();
        else
            readVersion7(start);
        if (m_found.buffers.empty())
            return Error{Error::Kind::Corrupt,
                         m_hasText
                             ? "contains only the text of a latency tracer; print it and open the text: trace-cmd report FILE > FILE.txt"
                             : "the file ends before its buffers: trace-cmd did not finish writing it"};
        finishBuffers();
        return std::move(m_found);
    }

private:
    BinaryReader readerAt(std::uint64_t offset) const
    {
        return BinaryReader(m_file.subspan(std::min<std::uint64_t>(offset, m_file.size())), m_found.tracing.order);
    }

    void complain(std::string kind, std::uint64_t offset, std::string what)
    {
        m_found.diagnostics.push_back({Diagnostic::Severity::Warning, std::move(kind), {}, offset, 1, std::move(what)});
    }

    // Version 6: descriptions, number of CPUs, options, and "flyrecord" with the location of each CPU's pages.

    void readVersion6()
    {
        std::uint64_t end = 0;
        m_found.tracing = tracepoint::parseTracingData(m_file, &end);
        if (m_found.tracing.isDamaged)
            complain("damaged-description", end, "the descriptions of events are damaged");
        BinaryReader reader = readerAt(end);
        m_found.cpuCount = reader.u32();
        std::string_view kind = reader.text(10);
        if (kind == "options  ") {
            readOptions(reader, {});
            kind = reader.text(10);
        }
        if (kind == "latency  ") {
            m_hasText = true;
        } else if (kind == "flyrecord") {
            Buffer top;
            top.clock = m_clock;
            readPages6(reader, top);
            m_found.buffers.insert(m_found.buffers.begin(), std::move(top));
        }
        for (auto& [offset, buffer] : m_instances) {
            BinaryReader pages = readerAt(offset);
            if (pages.text(10) == "flyrecord") {
                readPages6(pages, buffer);
                m_found.buffers.push_back(std::move(buffer));
            }
        }
    }

    void readPages6(BinaryReader& reader, Buffer& buffer) const
    {
        for (std::uint32_t cpu = 0; cpu < std::min(m_found.cpuCount, MostCpus) && !reader.isCut(); ++cpu) {
            const std::uint64_t offset = reader.u64();
            const std::uint64_t size = reader.u64();
            if (size > 0)
                buffer.cpus.push_back({static_cast<std::int32_t>(cpu), offset, size});
        }
    }

    // Version 7: sections, which the options locate. The options themselves are a chain of sections.

    void readVersion7(BinaryReader& start)
    {
        auto& tracing = m_found.tracing;
        tracing.order = start.u8() != 0 ? ByteOrder::Big : ByteOrder::Little;
        start.setOrder(tracing.order);
        tracing.longSize = start.u8();
        tracing.pageSize = start.u32();
        m_found.compression = start.line();
        start.line(); // Skips the version of the compression library.
        std::uint64_t next = start.u64();
        const std::uint64_t firstSection = start.position();
        while (next != 0 && m_readSections.insert(next).second) {
            const auto section = sectionAt(next);
            if (!section) {
                complain("damaged-options", next, "an options section is damaged: " + section.error().what);
                return findSections(firstSection);
            }
            BinaryReader reader(*section, tracing.order);
            next = readOptions(reader, next);
        }
    }

    /// Reads the sections that no option has named, in the order of the file from `offset` on. This is for files that were cut: trace-cmd
    /// writes the options that locate the events behind the events.
    void findSections(std::uint64_t offset)
    {
        const std::size_t known = m_found.buffers.size();
        for (bool isFollowed = true; isFollowed;) {
            BinaryReader header = readerAt(offset);
            const auto id = OptionId(header.u16());
            header.u16(); // Skips the flags.
            header.u32(); // Skips the description.
            const std::uint64_t size = header.u64();
            if (header.isCut())
                break;
            isFollowed = size > 0 && size <= header.left();
            if (id == OptionId::Buffer) {
                findBuffer(offset, isFollowed ? size : header.left());
            } else if (id == OptionId::Done && isFollowed && m_readSections.insert(offset).second) {
                if (const auto section = sectionAt(offset)) {
                    BinaryReader reader(*section, m_found.tracing.order);
                    readOptions(reader, offset);
                }
            } else if (const SectionParser parse = parserOf(id); parse && isFollowed) {
                readSection(offset, parse);
            }
            offset += header.position() + size;
        }
        std::size_t cpus = 0;
        bool areAll = true;
        for (std::size_t i = known; i < m_found.buffers.size(); ++i) {
            cpus += m_found.buffers[i].cpus.size();
            areAll = areAll && m_found.buffers[i].cpus.size() == m_found.cpuCount;
        }
        if (cpus > 0)
            complain("found-events", offset,
                     "the options that locate the events are missing; the events of " + std::to_string(cpus)
                         + (cpus == 1 ? " CPU" : " CPUs") + " were found without them"
                         + (areAll ? ""
                                   : "; other events are missing, and CPUs are numbered in the order of the file, without CPUs that had no "
                                     "events"));
    }

    /// Finds the pages of each CPU in the buffer section at `offset`, whose content has `size` bytes: trace-cmd writes the pages of the
    /// CPUs one after the other, each from a multiple of the page size on.
    void findBuffer(std::uint64_t offset, std::uint64_t size)
    {
        const std::uint64_t pageSize = m_found.tracing.pageSize;
        if (!m_bufferSections.insert(offset).second || pageSize < SmallestPage || pageSize > LargestPage
            || m_found.buffers.size() >= MostFoundBuffers)
            return;
        Buffer buffer;
        if (!m_found.buffers.empty()) // The first buffer is that of the top instance, which has no name.
            buffer.name = "buffer " + std::to_string(m_found.buffers.size() + 1);
        BinaryReader section = readerAt(offset);
        section.u16(); // Skips the id.
        buffer.isCompressed = (section.u16() & CompressedSection) != 0;
        constexpr std::uint64_t HeaderSize = 16;
        const std::uint64_t end = offset + HeaderSize + size;
        std::uint64_t begin = offset + HeaderSize;
        while (buffer.cpus.size() < MostCpus) {
            begin = (begin + pageSize - 1) / pageSize * pageSize;
            const std::uint64_t found = begin < end ? buffer.isCompressed ? chunksEnd(begin, end) : pagesEnd(begin, end) : begin;
            if (found == begin)
                break;
            buffer.cpus.push_back({static_cast<std::int32_t>(buffer.cpus.size()), begin, found - begin});
            begin = found;
        }
        if (!buffer.cpus.empty())
            m_found.buffers.push_back(std::move(buffer));
    }

    /// Returns the end of the compressed chunks of the CPU whose chunks begin at `begin`: at most `end`; `begin` if there are none.
    std::uint64_t chunksEnd(std::uint64_t begin, std::uint64_t end) const
    {
        BinaryReader reader = readerAt(begin);
        const std::uint32_t count = reader.u32();
        if (count == 0)
            return begin;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t packed = reader.u32();
            const std::uint32_t unpacked = reader.u32();
            if (unpacked == 0 || unpacked % m_found.tracing.pageSize != 0)
                return i > 0 ? end : begin; // TraceDat reports chunks that are cut or damaged.
            reader.skip(packed);
            if (reader.isCut())
                return end;
        }
        return std::min(begin + reader.position(), end);
    }

    /// Returns the end of the pages of the CPU whose first page is at `begin`: the first page that is older than the page before it belongs
    /// to another CPU. At most `end`; `begin` if there is no page.
    std::uint64_t pagesEnd(std::uint64_t begin, std::uint64_t end) const
    {
        std::uint64_t last = 0;
        std::uint64_t at = begin;
        for (; at < end && end - at >= m_found.tracing.pageSize; at += m_found.tracing.pageSize) {
            const std::uint64_t clock = readerAt(at).u64();
            if (clock == 0 || clock < last)
                break;
            last = clock;
        }
        return at;
    }

    /// Returns the bytes of the section at `offset`, uncompressed.
    Result<std::vector<std::byte>> sectionAt(std::uint64_t offset) const
    {
        BinaryReader reader = readerAt(offset);
        reader.u16(); // Skips the id.
        const std::uint16_t flags = reader.u16();
        reader.u32(); // Skips the description.
        const std::uint64_t size = reader.u64();
        if (reader.isCut() || size > reader.left())
            return Error{Error::Kind::Corrupt, "the file ends within the section"};
        if ((flags & CompressedSection) == 0) {
            const auto bytes = reader.bytes(size);
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        }
        const std::uint32_t packed = reader.u32();
        const std::uint32_t unpackedSize = reader.u32();
        m_unpackedBytes += unpackedSize;
        if (packed > reader.left() || m_unpackedBytes > LargestSections)
            return Error{Error::Kind::Corrupt, "the section's compressed size is impossible"};
        std::vector<std::byte> section(unpackedSize);
        if (auto done = unpackBlock(m_found.compression, reader.bytes(packed), section); !done)
            return done.error();
        return section;
    }

    using SectionParser = void (*)(BinaryReader&, tracepoint::TracingData&); ///< Function of tracing_data.h.

    /// Returns the function that reads the content of a section with descriptions; nullptr for other sections.
    static SectionParser parserOf(OptionId id)
    {
        switch (id) {
        case OptionId::HeaderInfo: return tracepoint::readPageHeader;
        case OptionId::FtraceEvents: return tracepoint::readFtraceFormats;
        case OptionId::EventFormats: return tracepoint::readEventFormats;
        case OptionId::Symbols: return tracepoint::readSymbols;
        case OptionId::PrintkFormats: return tracepoint::readPrintkFormats;
        case OptionId::CommandLines: return tracepoint::readCommandLines;
        default: return nullptr;
        }
    }

    /// Passes the content of the section at `offset` to `parse`.
    void readSection(std::uint64_t offset, SectionParser parse)
    {
        if (!m_readSections.insert(offset).second)
            return; // Each section is read once, whatever the number of options that name it.
        auto section = sectionAt(offset);
        if (section) {
            BinaryReader reader(*section, m_found.tracing.order);
            parse(reader, m_found.tracing);
            if (!reader.isCut())
                return;
            section = Error{Error::Kind::Corrupt, "it ends too early"};
        }
        complain("damaged-section", offset, "a section with descriptions is damaged: " + section.error().what);
    }

    /// Reads options up to the last one. `section` is the offset of their section; nullopt in version 6. Returns the offset of the next
    /// options section; 0 if there is none.
    std::uint64_t readOptions(BinaryReader& reader, std::optional<std::uint64_t> section)
    {
        while (!reader.isCut()) {
            const std::uint16_t id = reader.u16();
            if (OptionId(id) == OptionId::Done && !section)
                return 0;
            const std::uint32_t size = reader.u32();
            const auto bytes = reader.bytes(size);
            if (reader.isCut())
                break;
            BinaryReader value(bytes, m_found.tracing.order);
            if (OptionId(id) == OptionId::Done)
                return value.u64();
            readOption(OptionId(id), value);
        }
        complain("damaged-options", section.value_or(0), "the options end too early");
        return 0;
    }

    void readOption(OptionId id, BinaryReader& value)
    {
        switch (id) {
        case OptionId::Date:
            addTimeOffset(numberIn(value.restAsText()), 1000); // The option is in us.
            m_found.hasDate = true;
            break;
        case OptionId::CpuStat: {
            const std::string_view text = value.restAsText();
            m_found.overrun += statistic(text, "overrun") + statistic(text, "dropped events");
            break;
        }
        case OptionId::Buffer: m_found.version == 6 ? readInstance6(value) : readBuffer7(value); break;
        case OptionId::TraceClock:
            m_clock = chosenClock(value.restAsText());
            addFact("trace_clock", m_clock);
            break;
        case OptionId::Uname: readUname(value.restAsText()); break;
        case OptionId::Offset: addTimeOffset(numberIn(value.restAsText()), 1); break;
        case OptionId::CpuCount: m_found.cpuCount = value.u32(); break;
        case OptionId::Version: addFact("tracer_version", value.restAsText()); break;
        case OptionId::Tsc2Nsec: {
            TscConversion tsc;
            tsc.multiplier = value.u32();
            tsc.shift = value.u32();
            if (tsc.multiplier > 0 && tsc.shift < 64)
                m_found.tsc = tsc;
            break;
        }
        case OptionId::HeaderInfo:
        case OptionId::FtraceEvents:
        case OptionId::EventFormats:
        case OptionId::Symbols:
        case OptionId::PrintkFormats:
        case OptionId::CommandLines: readSection(value.u64(), parserOf(id)); break;
        case OptionId::BufferText: m_hasText = true; break;
        case OptionId::TraceId: m_found.session.id = idText(value.u64()); break;
        case OptionId::TimeShift: readTimeShift(value); break;
        case OptionId::Guest: readGuest(value); break;
        case OptionId::Hook: ++m_skipped["hooks"]; break;
        case OptionId::ProcMaps: ++m_skipped["memory maps of processes"]; break;
        case OptionId::Btf: ++m_skipped["BTF"]; break;
        case OptionId::LastBoot: ++m_skipped["addresses of the last boot"]; break;
        case OptionId::Modules: ++m_skipped["addresses of modules"]; break;
        case OptionId::Strings: break; // Ignore the option: it contains names of file sections, which are not shown.
        default: ++m_skipped["unknown option " + std::to_string(static_cast<unsigned>(id))]; break;
        }
    }

    /// Reads the option TIME_SHIFT, which relates a guest's clock to its host's clock: the id of the host's recording, flags, and for each
    /// CPU of the guest the times, offsets and scalings of its clock samples. In newer files, the number of fraction bits of each scaling
    /// follows.
    void readTimeShift(BinaryReader& value)
    {
        constexpr std::uint32_t Interpolates = 1;
        HostClock clock;
        clock.hostId = value.u64();
        clock.interpolates = (value.u32() & Interpolates) != 0;
        const std::uint32_t count = value.u32();
        std::size_t all = 0;
        for (std::uint32_t cpu = 0; cpu < std::min(count, MostCpus) && !value.isCut(); ++cpu) {
            const std::uint32_t samples = value.u32();
            constexpr std::uint64_t SampleBytes = 24;
            if (value.left() / SampleBytes < samples || (all += samples) > MostClockSamples)
                return complain("damaged-option", 0, "the relation to the clock of the host is damaged");
            auto& own = clock.cpus.emplace_back(samples);
            for (ClockSample& sample : own)
                sample.time = static_cast<std::int64_t>(value.u64());
            for (ClockSample& sample : own)
                sample.offset = static_cast<std::int64_t>(value.u64());
            for (ClockSample& sample : own)
                sample.scaling = value.u64();
        }
        if (value.left() > 0)
            for (auto& own : clock.cpus)
                for (ClockSample& sample : own)
                    sample.fraction = static_cast<std::uint32_t>(std::min<std::uint64_t>(value.u64(), 127));
        if (value.isCut() || count > MostCpus)
            return complain("damaged-option", 0, "the relation to the clock of the host is damaged");
        for (auto& own : clock.cpus) {
            constexpr std::int64_t Largest = std::int64_t{1} << 62; // No clock is that late; sums and products would overflow.
            std::erase_if(own, [](const ClockSample& it) {
                return it.time < -Largest || it.time > Largest || it.offset < -Largest || it.offset > Largest;
            });
            std::ranges::stable_sort(own, {}, &ClockSample::time);
            const auto same = std::ranges::unique(own, {}, &ClockSample::time);
            own.erase(same.begin(), same.end());
        }
        m_found.session.hostId = idText(clock.hostId);
        m_found.hostClock = std::move(clock);
    }

    void readGuest(BinaryReader& value)
    {
        RecordedGuest guest;
        guest.name = value.line();
        guest.id = idText(value.u64());
        const std::uint32_t count = value.u32();
        for (std::uint32_t i = 0; i < std::min(count, MostCpus) && !value.isCut(); ++i) {
            const std::int32_t cpu = value.i32();
            const std::int32_t tid = value.i32();
            if (!value.isCut() && cpu >= 0 && tid > 0)
                guest.vcpus.emplace_back(cpu, tid);
        }
        if (m_found.session.guests.size() < MostGuests)
            m_found.session.guests.push_back(std::move(guest));
    }

    /// Adds an offset of the times in units of `unit` ns; an offset that does not fit into 64 bits is ignored.
    void addTimeOffset(std::int64_t offset, std::int64_t unit)
    {
        std::int64_t sum = 0;
        if (!__builtin_mul_overflow(offset, unit, &sum) && !__builtin_add_overflow(sum, m_found.timeOffset, &sum))
            m_found.timeOffset = sum;
    }

    void addFact(std::string key, std::string_view value)
    {
        if (!value.empty())
            m_found.facts.emplace_back(std::move(key), std::string(value));
    }

    /// Takes "SYSTEM HOST RELEASE MACHINE", which trace-cmd composes of the members of uname().
    void readUname(std::string_view text)
    {
        std::vector<std::string_view> words;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            words.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        if (words.size() != 4)
            return;
        m_found.hostname = words[1];
        addFact("hostname", words[1]);
        addFact("kernel_release", words[2]);
        addFact("machine", words[3]);
    }

    void readInstance6(BinaryReader& value)
    {
        const std::uint64_t offset = value.u64();
        Buffer buffer;
        buffer.name = value.line();
        buffer.clock = value.restAsText();
        m_instances.emplace_back(offset, std::move(buffer));
    }

    void readBuffer7(BinaryReader& value)
    {
        const std::uint64_t offset = value.u64();
        m_bufferSections.insert(offset);
        Buffer buffer;
        buffer.name = value.line();
        buffer.clock = value.line();
        // Files of trace-cmd 3.0 lack the page size: there, the number of CPUs comes first, and the rest has 20 bytes for each CPU.
        constexpr std::uint64_t CpuBytes = 20;
        const std::uint64_t left = value.left();
        std::uint32_t count = value.u32();
        if (left != 4 + count * CpuBytes) {
            buffer.pageSize = count;
            count = value.u32();
        }
        for (std::uint32_t i = 0; i < std::min(count, MostCpus) && !value.isCut(); ++i) {
            CpuPages pages;
            pages.cpu = static_cast<std::int32_t>(value.u32());
            pages.offset = value.u64();
            pages.size = value.u64();
            if (!value.isCut() && pages.size > 0 && pages.cpu >= 0 && pages.cpu < static_cast<std::int32_t>(MostCpus))
                buffer.cpus.push_back(pages);
        }
        BinaryReader section = readerAt(offset);
        section.u16(); // Skips the id.
        buffer.isCompressed = (section.u16() & CompressedSection) != 0;
        if (section.isCut())
            complain("damaged-options", offset, "the buffer \"" + buffer.name + "\" lies outside of the file");
        else
            m_found.buffers.push_back(std::move(buffer));
    }

    void finishBuffers()
    {
        std::stable_partition(m_found.buffers.begin(), m_found.buffers.end(), [](const Buffer& buffer) { return buffer.name.empty(); });
        for (Buffer& buffer : m_found.buffers) {
            if (buffer.clock.empty())
                buffer.clock = m_clock;
            if (buffer.pageSize == 0)
                buffer.pageSize = m_found.tracing.pageSize;
            const auto& page = m_found.tracing.page;
            std::uint64_t size = 0;
            for (const CpuPages& pages : buffer.cpus)
                size += std::min<std::uint64_t>(pages.size, m_file.size());
            if (size > m_file.size()) {
                complain("damaged-buffer", 0, "the pages of several CPUs overlap");
                buffer.cpus.clear();
            }
            if (buffer.pageSize > LargestPage || buffer.pageSize < SmallestPage
                || buffer.pageSize < std::max(page.commitOffset + page.commitSize, page.dataOffset)) {
                complain("damaged-buffer", 0, "a page size of " + std::to_string(buffer.pageSize) + " bytes is impossible");
                buffer.cpus.clear();
            }
        }
        if (m_hasText)
            complain("latency-text", 0,
                     "the text of a latency tracer in the file is not read; print it and open the text: trace-cmd report FILE > FILE.txt");
        for (const auto& [name, count] : m_skipped)
            m_found.diagnostics.push_back({Diagnostic::Severity::Info, "skipped-option", {}, 0, count, "not used: " + name});
    }

    const std::span<const std::byte> m_file;
    Description m_found;
    std::string m_clock; ///< Clock of the top instance.
    std::vector<std::pair<std::uint64_t, Buffer>> m_instances; ///< Instances of version 6 and the offsets of their pages.
    std::set<std::uint64_t> m_readSections; ///< Offsets of the sections with options or descriptions that were read.
    std::set<std::uint64_t> m_bufferSections; ///< Offsets of the sections with buffers that were read.
    mutable std::uint64_t m_unpackedBytes = 0; ///< Sum of the uncompressed sizes of all sections so far.
    bool m_hasText = false;
    std::map<std::string, std::uint64_t> m_skipped; ///< Number of options that Heliograph does not use, keyed by kind of option.
};

} // namespace

bool isTraceDat(std::span<const std::byte> bytes)
{
    // A digit follows in trace.dat; the tracing data of perf has the same magic number and a version such as "0.6".
    return bytes.size() > Magic.size() + 1 && std::string_view(reinterpret_cast<const char*>(bytes.data()), Magic.size()) == Magic
        && bytes[Magic.size() + 1] == std::byte{0};
}

Result<Description> readDescription(std::span<const std::byte> bytes) { return Reader(bytes).read(); }

} // namespace helio::tracedat
