#include "core/formats/perf_data/description.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace helio::perf {
namespace {

constexpr std::size_t MaxAttributes = 100'000; ///< Limit of the number of attributes, because each attribute becomes an EventType.

Error corrupt(std::uint64_t offset, const std::string& what)
{
    return {Error::Kind::Corrupt, "at offset " + std::to_string(offset) + ": " + what};
}

std::uint64_t magicOf(std::span<const std::byte> head, ByteOrder order) { return loadWord<std::uint64_t>(head.data(), order); }

bool isInside(FileRange extent, std::uint64_t size) { return extent.offset <= size && extent.size <= size - extent.offset; }

class HeaderReader {
public:
    explicit HeaderReader(std::span<const std::byte> file)
        : m_file(file)
        , m_cursor(file, ByteOrder::Little)
    {
    }

    Result<RecordingDescription> read()
    {
        m_description.order = magicOf(m_file, ByteOrder::Little) == FileMagic ? ByteOrder::Little : ByteOrder::Big;
        m_cursor.setOrder(m_description.order);
        m_cursor.skip(8);
        const std::uint64_t headerSize = m_cursor.u64();
        if (m_cursor.isCut())
            return corrupt(8, "the file ends within its header");
        if (headerSize == PipeHeaderSize) {
            m_description.isPipe = true;
            m_description.data = {PipeHeaderSize, m_file.size() - PipeHeaderSize};
            return std::move(m_description);
        }
        if (headerSize < FileHeaderSize)
            return corrupt(8, "a header of " + std::to_string(headerSize) + " bytes is not valid");
        return readFileHeader();
    }

private:
    FileRange extent() { return {m_cursor.u64(), m_cursor.u64()}; }

    Result<RecordingDescription> readFileHeader()
    {
        const std::uint64_t entrySize = m_cursor.u64();
        const FileRange attributes = extent();
        m_description.data = extent();
        extent(); // Skip the obsolete section of event types.
        readFeatureBits();
        if (m_cursor.isCut())
            return corrupt(m_file.size(), "the file ends within its header");
        if (std::ranges::find(m_features, static_cast<unsigned>(Feature::Stat)) != m_features.end())
            return Error{Error::Kind::Unsupported, "perf stat recordings hold only counts; use `perf stat report -i`"};
        if (auto read = readAttributes(attributes, entrySize); !read)
            return read.error();
        if (m_description.data.offset > m_file.size())
            return corrupt(40, "the data section begins after the end of the file");
        checkData();
        readFeatures();
        return std::move(m_description);
    }

    /// Reads the feature bits. They are four 64-bit words, or eight 32-bit words from a 32-bit big-endian machine. The bit of HostName
    /// distinguishes the two, because all recordings have this feature.
    void readFeatureBits()
    {
        const auto bytes = m_cursor.bytes(FeatureBits / 8);
        if (bytes.empty())
            return;
        const ByteOrder order = m_description.order;
        const auto wordsOf64 = [&](unsigned bit) {
            return (loadWord<std::uint64_t>(bytes.data() + bit / 64 * 8, order) >> bit % 64 & 1) != 0;
        };
        const auto wordsOf32 = [&](unsigned bit) {
            return (loadWord<std::uint32_t>(bytes.data() + bit / 32 * 4, order) >> bit % 32 & 1) != 0;
        };
        const bool isWide = order == ByteOrder::Little || wordsOf64(static_cast<unsigned>(Feature::HostName));
        for (unsigned bit = 0; bit < FeatureBits; ++bit)
            if (isWide ? wordsOf64(bit) : wordsOf32(bit))
                m_features.push_back(bit);
    }

    Status readAttributes(FileRange section, std::uint64_t entrySize)
    {
        constexpr std::uint64_t IdsSize = 16;
        if (entrySize < 64 + IdsSize || entrySize > 64 * 1024)
            return corrupt(16, "attributes of " + std::to_string(entrySize) + " bytes cannot be read");
        if (!isInside(section, m_file.size()))
            return corrupt(24, "the attributes are outside the file");
        const std::uint64_t count = section.size / entrySize;
        if (count == 0 || count > MaxAttributes)
            return corrupt(24, std::to_string(count) + " events");
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto entry = m_file.subspan(section.offset + i * entrySize, entrySize);
            auto attribute = readAttribute(entry.first(entrySize - IdsSize), m_description.order);
            BinaryReader place(entry.last(IdsSize), m_description.order);
            const FileRange ids{place.u64(), place.u64()};
            readIds(ids, *attribute);
            m_description.attributes.push_back(std::move(*attribute));
        }
        return Done{};
    }

    void readIds(FileRange place, Attribute& attribute)
    {
        if (!isInside(place, m_file.size())) {
            report("damaged-header", place.offset, "an event's IDs are outside the file");
            return;
        }
        m_idBytes += place.size;
        if (m_idBytes > m_file.size()) { // Stop here, because lists of ids that overlap could require any amount of memory.
            report("damaged-header", place.offset, "the events' IDs overlap");
            return;
        }
        BinaryReader ids(m_file.subspan(place.offset, place.size), m_description.order);
        while (ids.left() >= 8)
            attribute.ids.push_back(ids.u64());
    }

    void checkData()
    {
        FileRange& data = m_description.data;
        const std::uint64_t left = m_file.size() - data.offset;
        if (data.size == 0) {
            m_description.isUnfinished = true;
            data.size = left;
            m_features.clear();
            report("unfinished-recording", 40, "the recording was not finished; its data is read to the end, without event and host names");
        } else if (data.size > left) {
            report("truncated-file", m_file.size(),
                   "the file ends within its data, at offset " + std::to_string(m_file.size()) + ": " + std::to_string(data.size - left)
                       + " of " + std::to_string(data.size) + " bytes are missing");
            data.size = left;
            m_features.clear();
        }
    }

    /// Reads the features. A table after the data contains the extents of all features, in the order of their bits.
    void readFeatures()
    {
        const std::uint64_t table = m_description.data.offset + m_description.data.size;
        BinaryReader places(m_file.subspan(table), m_description.order);
        for (const unsigned bit : m_features) {
            const FileRange place{places.u64(), places.u64()};
            if (places.isCut() || !isInside(place, m_file.size())) {
                report("damaged-header", table, "feature " + std::to_string(bit) + " is outside the file");
                continue;
            }
            readFeature(m_description, static_cast<Feature>(bit), m_file.subspan(place.offset, place.size));
        }
    }

    void report(std::string kind, std::uint64_t offset, std::string what)
    {
        m_description.diagnostics.push_back({Diagnostic::Severity::Warning, std::move(kind), {}, offset, 1, std::move(what)});
    }

    std::span<const std::byte> m_file;
    std::uint64_t m_idBytes = 0; ///< Total size of the id lists of all events.
    BinaryReader m_cursor;
    RecordingDescription m_description;
    std::vector<unsigned> m_features;
};

} // namespace

bool isPerfData(std::span<const std::byte> head)
{
    return head.size() >= 8 && (magicOf(head, ByteOrder::Little) == FileMagic || magicOf(head, ByteOrder::Big) == FileMagic);
}

Result<RecordingDescription> readDescription(std::span<const std::byte> file)
{
    if (!isPerfData(file))
        return corrupt(0, "not a perf.data file");
    return HeaderReader(file).read();
}

std::string RecordingDescription::fact(std::string_view key) const
{
    const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& entry) { return entry.first == key; });
    return found == facts.end() ? std::string() : found->second;
}

void RecordingDescription::nameAttributes()
{
    std::vector<Attribute*> nameless;
    std::map<std::string, std::size_t> events; // Number of attributes with each name.
    for (Attribute& attribute : attributes) {
        if (attribute.name.empty()) {
            const auto known = attribute.isTracepoint() ? tracing.tracepoints.find(attribute.config) : tracing.tracepoints.end();
            if (known == tracing.tracepoints.end())
                nameless.push_back(&attribute);
            attribute.name = known == tracing.tracepoints.end() ? nameOf(attribute) : known->second.system + ":" + known->second.name;
        }
        events[attribute.name] += attribute.isDummy() ? 0 : 1;
    }
    for (Attribute* attribute : nameless)
        if (events[attribute->name] > 1)
            attribute->name += makeModifiers(*attribute);
    events.clear();
    for (Attribute& attribute : attributes) {
        const std::size_t number = attribute.isDummy() ? 1 : ++events[attribute.name];
        attribute.label = attribute.name + (number > 1 ? "#" + std::to_string(number) : "");
    }
}

} // namespace helio::perf
