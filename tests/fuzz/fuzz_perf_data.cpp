// Fuzzer of the reader of perf.data: raw bytes, or files with valid attributes, features and records whose contents the input chooses,
// plain or in pipe mode, some compressed. No input may cause a crash, a hang, or more memory use than the size of the file justifies.

#include "core/formats/perf_data/abi.h"
#include "core/trace/tracepoint/tracing_data.h"
#include "tests/fuzz/fuzz_formats.h"

#include <array>
#include <bit>
#include <vector>
#include <zstd.h>

namespace helio {
extern const TraceFormat perfDataFormat;
}

using namespace helio;
using namespace helio::perf;

namespace {

constexpr std::uint32_t AttributeBytes = 128;

/// The part of an attribute on which the layout of samples depends.
struct MadeAttribute {
    std::uint64_t sampleType = 0;
    std::uint64_t readFormat = 0;
    std::uint64_t branchType = 0;
    std::uint64_t userRegisters = 0;
    std::uint64_t interruptRegisters = 0;
    std::uint64_t id = 0;

    bool has(std::uint64_t bit) const { return (sampleType & bit) != 0; }
};

class PerfMaker {
public:
    explicit PerfMaker(FuzzInput& input)
        : m_input(input)
        , m_mode(input.byte())
    {
    }

    std::string make()
    {
        FuzzBytes attributes = bytes();
        FuzzBytes attributeRecords = bytes();
        const std::size_t count = 1 + m_input.below(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string attribute = makeAttribute(i);
            attributes.raw(attribute).u64(FileHeaderSize + count * (AttributeBytes + 16) + 8 * i).u64(8);
            attributeRecords.raw(record(std::uint32_t(RecordType::HeaderAttr), 0, bytes().raw(attribute).u64(i + 1).all));
        }
        for (std::size_t i = 0; i < count; ++i)
            attributes.u64(i + 1); // The events' ids.
        const std::vector<std::pair<unsigned, std::string>> features = makeFeatures();
        std::string records;
        while (!m_input.isEmpty())
            records += makeRecord();
        if (isPipe()) {
            for (const auto& [bit, body] : features)
                attributeRecords.raw(record(std::uint32_t(RecordType::HeaderFeature), 0, bytes().u64(bit).raw(body).all));
            return bytes().u64(FileMagic).u64(PipeHeaderSize).raw(attributeRecords.all).raw(records).all;
        }
        std::uint64_t bits = 0;
        for (const auto& [bit, body] : features)
            bits |= std::uint64_t{1} << bit;
        const std::uint64_t dataAt = FileHeaderSize + attributes.all.size();
        FuzzBytes file = bytes();
        file.u64(FileMagic).u64(FileHeaderSize).u64(AttributeBytes + 16).u64(FileHeaderSize).u64(count * (AttributeBytes + 16));
        file.u64(dataAt).u64(records.size()).u64(0).u64(0).u64(bits).u64(0).u64(0).u64(0).raw(attributes.all).raw(records);
        std::uint64_t at = file.all.size() + 16 * features.size();
        for (const auto& [bit, body] : features) {
            file.u64(at).u64(body.size());
            at += body.size();
        }
        for (const auto& [bit, body] : features)
            file.raw(body);
        return file.all;
    }

private:
    bool isPipe() const { return (m_mode & 1) != 0; }
    bool isBigEndian() const { return m_mode % 16 == 2; }
    FuzzBytes bytes() const { return FuzzBytes(isBigEndian()); }

    std::string record(std::uint32_t type, std::uint16_t misc, std::string_view body) const
    {
        body = body.substr(0, 65'528 & ~7U);
        return bytes().u32(type).u16(misc).u16(body.size() + 8).raw(body).all;
    }

    std::string makeAttribute(std::size_t i)
    {
        MadeAttribute& made = m_attributes.emplace_back();
        made.sampleType = sample::Ip | sample::Tid | sample::Time | sample::Cpu | (m_input.take<std::uint32_t>() & sample::Known)
            | (m_attributes.size() > 1 ? sample::Identifier : 0);
        made.readFormat = m_input.byte() % 32;
        made.branchType = m_input.byte() % 4 == 0 ? branch::HwIndex : m_input.byte() % 8 == 0 ? branch::CallStack : 0;
        made.userRegisters = m_input.flag() ? 0xff0fff : m_input.byte();
        made.interruptRegisters = m_input.byte();
        made.id = i + 1;
        const std::uint64_t flags = std::uint64_t{1} << 18 | m_input.take<std::uint16_t>() | (m_input.flag() ? std::uint64_t{1} << 25 : 0);
        FuzzBytes attribute = bytes();
        // Some attributes are of the tracepoint that makeFeatures() describes.
        const bool isTracepoint = m_input.flag();
        attribute.u32(isTracepoint ? 2 : m_input.byte() % 6)
            .u32(AttributeBytes)
            .u64(isTracepoint ? 7 : m_input.byte() % 12)
            .u64(m_input.number());
        attribute.u64(made.sampleType).u64(made.readFormat);
        if (isBigEndian()) {
            std::uint64_t reversed = 0;
            for (int bit = 0; bit < 64; ++bit)
                reversed |= (flags >> bit & 1) << (63 - bit);
            attribute.u64(reversed);
        } else {
            attribute.u64(flags);
        }
        attribute.u32(0).u32(0).u64(0).u64(0).u64(made.branchType).u64(made.userRegisters).u32(0).u32(1).u64(made.interruptRegisters);
        attribute.all.resize(AttributeBytes, '\0');
        return attribute.all;
    }

    static std::string sized(FuzzBytes out, std::string_view text) { return out.u64(text.size()).raw(text).all; }

    std::string makeTracingData()
    {
        std::string format = "name: sched_switch\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                             "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                             "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
                             "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n";
        format.append(m_input.text()).append("\nprint fmt: \"%s\", REC->prev_comm\n");
        FuzzBytes data = bytes();
        data.raw(std::string_view("\x17\x08\x44tracing0.6\0", 14)).u8(isBigEndian()).u8(8).u32(4096);
        data.raw(std::string_view("header_page\0", 12)).raw(sized(bytes(), "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"));
        data.raw(std::string_view("header_event\0", 13)).raw(sized(bytes(), "")).u32(0).u32(1).raw(std::string_view("sched\0", 6)).u32(1);
        data.raw(sized(bytes(), format));
        const std::string_view symbols = m_input.text();
        return data.u32(symbols.size()).raw(symbols).u32(0).u64(0).all;
    }

    std::string text()
    {
        std::string text(m_input.text());
        text.resize((text.size() + 64) & ~std::size_t{63}, '\0');
        return bytes().u32(text.size()).raw(text).all;
    }

    std::vector<std::pair<unsigned, std::string>> makeFeatures()
    {
        std::vector<std::pair<unsigned, std::string>> features;
        if (m_input.flag())
            features.emplace_back(unsigned(Feature::TracingData), makeTracingData());
        unsigned bit = 1;
        for (std::size_t left = m_input.below(8); left > 0; --left) {
            bit += 1 + static_cast<unsigned>(m_input.below(8));
            if (bit > 31)
                break;
            // Most features consist of a count, texts, and numbers.
            std::string body = m_input.byte() % 4 == 0 ? std::string(m_input.text()) : bytes().u32(m_input.byte() % 4).all;
            for (std::size_t part = m_input.below(4); part > 0; --part)
                body += m_input.flag() ? text() : bytes().u64(m_input.number()).all;
            features.emplace_back(bit, bit == unsigned(Feature::ClockData) ? bytes().u32(1).u32(1).u64(5'000).u64(1'000).all : body);
        }
        return features;
    }

    void addWords(FuzzBytes& body, std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; ++i)
            body.u64(m_input.number());
    }
    std::uint64_t nextTime() { return m_time += m_input.byte(); }
    std::uint32_t tid() { return 10 + m_input.byte() % 4; }

    std::string makeSample()
    {
        const MadeAttribute& a = m_attributes[m_input.below(m_attributes.size())];
        FuzzBytes body = bytes();
        const auto count = [&] { return m_input.byte() % 32 == 0 ? m_input.number() : m_input.byte() % 6; };
        if (a.has(sample::Identifier))
            body.u64(a.id);
        body.u64(0x401000 + m_input.byte()).u32(10).u32(tid()).u64(nextTime());
        for (const std::uint64_t bit : {sample::Addr, sample::Id, sample::StreamId})
            if (a.has(bit))
                body.u64(bit == sample::Id ? a.id : m_input.number());
        body.u32(m_input.byte() % 4).u32(0);
        if (a.has(sample::Period))
            body.u64(m_input.number());
        if (a.has(sample::Read)) {
            const bool isGroup = (a.readFormat & readformat::Group) != 0;
            const std::uint64_t values = isGroup ? count() : 1;
            body.u64(isGroup ? values : m_input.number());
            addWords(body, ((a.readFormat & 1) != 0) + ((a.readFormat & 2) != 0));
            if (values < 100)
                addWords(body, (isGroup ? values : 0) + values * ((a.readFormat & 4) != 0) + values * ((a.readFormat & 16) != 0));
        }
        const auto addList = [&](std::uint64_t words, bool isIndexed = false) {
            const std::uint64_t items = count();
            body.u64(items);
            if (isIndexed)
                body.u64(0);
            if (items < 100)
                addWords(body, items * words);
        };
        if (a.has(sample::Callchain))
            addList(1);
        if (a.has(sample::Raw)) {
            const std::string_view raw = m_input.text();
            FuzzBytes event = bytes();
            event.u16(7).u16(0).u32(tid()).raw(raw);
            event.zeros((12 - event.all.size() % 8) % 8);
            body.u32(event.all.size()).raw(event.all);
        }
        if (a.has(sample::BranchStack))
            addList(3, (a.branchType & branch::HwIndex) != 0);
        if (a.has(sample::RegsUser)) {
            const std::uint64_t abi = m_input.byte() % 3;
            body.u64(abi);
            addWords(body, abi != 0 ? static_cast<std::uint64_t>(std::popcount(a.userRegisters)) : 0);
        }
        if (a.has(sample::StackUser)) {
            std::string stack(m_input.text());
            stack.resize(stack.size() & ~std::size_t{7});
            body.u64(stack.size()).raw(stack);
            if (!stack.empty())
                body.u64(m_input.flag() ? stack.size() : m_input.number());
        }
        // The parts after the stack, which are words, and the registers at the interrupt among them.
        for (const std::uint64_t bit : {sample::Weight | sample::WeightStruct, sample::DataSrc, sample::Transaction})
            addWords(body, a.has(bit) ? 1 : 0);
        if (a.has(sample::RegsIntr)) {
            const std::uint64_t abi = m_input.byte() % 3;
            body.u64(abi);
            addWords(body, abi != 0 ? static_cast<std::uint64_t>(std::popcount(a.interruptRegisters)) : 0);
        }
        for (const std::uint64_t bit : {sample::PhysAddr, sample::Cgroup, sample::DataPageSize, sample::CodePageSize})
            addWords(body, a.has(bit) ? 1 : 0);
        if (a.has(sample::Aux))
            body.u64(0);
        return record(std::uint32_t(RecordType::Sample), m_input.byte() % 6, body.all);
    }

    std::string makeRecord()
    {
        constexpr std::array Types{RecordType::Mmap2,   RecordType::Comm,          RecordType::Fork,       RecordType::Exit,
                                   RecordType::Switch,  RecordType::SwitchCpuWide, RecordType::Lost,       RecordType::LostSamples,
                                   RecordType::Ksymbol, RecordType::Mmap,          RecordType::Namespaces, RecordType::TextPoke,
                                   RecordType::Aux,     RecordType::Throttle};
        const std::uint8_t choice = m_input.byte();
        if (choice < 100)
            return makeSample();
        if (choice >= 250) {
            // Compressed records.
            std::string inner;
            for (std::size_t left = m_input.below(4); left > 0 && !m_input.isEmpty(); --left)
                inner += makeSample();
            std::string packed(ZSTD_compressBound(inner.size()), '\0');
            packed.resize(ZSTD_compress(packed.data(), packed.size(), inner.data(), inner.size(), 1));
            const bool isNew = choice % 2 == 0;
            FuzzBytes body = bytes();
            if (isNew)
                body.u64(packed.size());
            body.raw(packed);
            if (isNew)
                body.align(8);
            return record(std::uint32_t(isNew ? RecordType::Compressed2 : RecordType::Compressed), 0, body.all);
        }
        if (choice >= 240) {
            // Hardware traces: the data of AUXTRACE follow the record.
            if (choice % 2 == 0)
                return record(std::uint32_t(RecordType::AuxtraceInfo), 0, bytes().u32(m_input.byte() % 8).u32(0).all);
            const std::string_view data = m_input.text();
            return record(std::uint32_t(RecordType::Auxtrace), 0, bytes().u64(data.size()).zeros(32).all) + std::string(data);
        }
        if (choice >= 220) { // A record of any type and content.
            FuzzBytes body = bytes();
            body.raw(m_input.text()).align(8);
            return record(m_input.byte() % 90, m_input.take<std::uint16_t>(), body.all);
        }
        const RecordType type = Types[choice % Types.size()];
        FuzzBytes body = bytes();
        body.u32(10).u32(tid());
        switch (type) {
        case RecordType::Mmap2:
        case RecordType::Mmap:
            body.u64(0x400000 + (m_input.number() & 0xffff) * 4096).u64(m_input.number()).u64(m_input.number());
            if (type == RecordType::Mmap2)
                body.u64(0).u64(m_input.number()).u64(0).u32(5).u32(2);
            body.raw(m_input.flag() ? "/tmp/jit-10.dump" : m_input.text()).zeros(1).align(8);
            break;
        case RecordType::Comm: body.raw(m_input.text().substr(0, 16)).zeros(1).align(8); break;
        case RecordType::Fork:
        case RecordType::Exit: body.u32(10).u32(tid()).u64(nextTime()); break;
        case RecordType::Ksymbol: body.u16(m_input.byte() % 3).u16(0).raw(m_input.text()).zeros(1).align(8); break;
        default: addWords(body, m_input.below(5));
        }
        // The trailer of the first attribute.
        const MadeAttribute& a = m_attributes.front();
        body.u32(10).u32(tid()).u64(nextTime());
        for (const std::uint64_t bit : {sample::Id, sample::StreamId})
            if (a.has(bit))
                body.u64(a.id);
        body.u32(m_input.byte() % 4).u32(0);
        if (a.has(sample::Identifier))
            body.u64(a.id);
        return record(std::uint32_t(type), m_input.byte() % 4 == 0 ? m_input.take<std::uint16_t>() : 2, body.all);
    }

    FuzzInput& m_input;
    const std::uint8_t m_mode;
    std::vector<MadeAttribute> m_attributes;
    std::uint64_t m_time = 1'000'000;
};

/// Makes a dump of a just-in-time compiler, which recordings name.
std::string makeJitDump()
{
    FuzzBytes dump;
    dump.u32(0x4a695444).u32(1).u32(40).u32(62).u32(0).u32(10).u64(500).u64(0); // The process 10.
    for (std::uint64_t i = 0; i < 3; ++i)
        dump.u32(0)
            .u32(16 + 40 + 5 + 16)
            .u64(1'000'000 + i)
            .u32(10)
            .u32(11)
            .u64(0x401000 + 16 * i)
            .u64(0x401000 + 16 * i)
            .u64(16)
            .u64(i)
            .raw(std::string_view("func\0", 5))
            .zeros(16);
    return dump.all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzzText(data, size);
    if (bytes.starts_with("PERFILE2") || bytes.starts_with("2ELIFREP")) {
        openAndDecode(perfDataFormat, bytes);
        return 0;
    }
    static const FuzzFolder folder; // The one in which openAndDecode() writes the recording.
    static const std::filesystem::path dump = folder.write("jit-10.dump", makeJitDump());
    FuzzInput input(data, size);
    openAndDecode(perfDataFormat, PerfMaker(input).make());
    return 0;
}
