// Fuzzer of the reader of CTF traces: makes valid metadata (TSDL or the JSON of CTF 2) with random field classes, and packets whose headers
// are mostly valid, with an index or without. No input may cause a crash, a hang, or more memory use than the size of the files justifies.

#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/opening/ctf_opening.h"
#include "core/trace/cut_out.h"
#include "tests/fuzz/fuzz_formats.h"

#include <array>
#include <vector>

using namespace helio;

namespace {

/// Writes the declaration of a structure with random members, in TSDL or JSON.
class FieldWriter {
public:
    FieldWriter(FuzzInput& input, bool isJson)
        : m_input(input)
        , m_isJson(isJson)
    {
    }

    std::string structure(unsigned depth = 0)
    {
        std::vector<std::string> members;
        const std::size_t count = m_input.below(depth == 0 ? 8 : 4);
        const std::size_t known = m_lengths.size();
        for (std::size_t i = 0; i < count; ++i)
            addMember(members, depth);
        m_lengths.resize(std::min(known, m_lengths.size()));
        std::string all;
        for (const std::string& member : members)
            all += (m_isJson && !all.empty() ? "," : "") + member;
        if (!m_isJson)
            return "struct { " + all + "}" + (m_input.byte() % 8 == 0 ? " align(" + alignment() + ")" : "");
        return R"({"type":"structure","minimum-alignment":)" + alignment() + R"(,"member-classes":[)" + all + "]}";
    }

private:
    std::string alignment() { return std::to_string(1U << m_input.below(8)); }
    const char* order() { return m_input.flag() ? (m_isJson ? "big-endian" : "be") : (m_isJson ? "little-endian" : "le"); }

    std::string member(const std::string& type, const std::string& name, const std::string& after = "") const
    {
        if (m_isJson)
            return R"({"name":")" + name + R"(","field-class":)" + type + "}";
        return type + " " + name + after + "; ";
    }

    std::string integer(bool isEnumeration = false)
    {
        const std::string bits = std::to_string(1 + m_input.below(m_input.byte() % 4 == 0 ? 64 : 16));
        const bool isSigned = m_input.flag();
        if (!m_isJson)
            return (isEnumeration ? "enum : " : "") + std::string("integer { size = ") + bits + "; align = " + alignment() + "; signed = "
                + (isSigned ? "true" : "false") + "; byte_order = " + order() + (m_input.byte() % 16 == 0 ? "; encoding = UTF8" : "")
                + "; }" + (isEnumeration ? " { a, b = 2 ... 5, c = " + std::to_string(m_input.byte() % 100) + " }" : "");
        const std::string kind = std::string(isSigned ? "signed-" : "unsigned-") + (isEnumeration ? "enumeration" : "integer");
        const std::string maps = isEnumeration ? R"(,"mappings":{"a":[[0,1]],"b":[[2,5]]})" : "";
        if (m_input.byte() % 4 == 0)
            return R"({"type":"variable-length-)" + kind + "\"" + maps + "}";
        return R"({"type":"fixed-length-)" + kind + R"(","length":)" + bits + R"(,"alignment":)" + alignment() + R"(,"byte-order":")"
            + order() + "\"" + maps + "}";
    }

    std::string real()
    {
        const bool isDouble = m_input.flag();
        if (m_isJson)
            return std::string(R"({"type":"fixed-length-floating-point-number","length":)") + (isDouble ? "64" : "32")
                + R"(,"byte-order":")" + order() + "\"}";
        return std::string("floating_point { exp_dig = ") + (isDouble ? "11; mant_dig = 53" : "8; mant_dig = 24")
            + "; byte_order = " + order() + "; align = " + alignment() + "; }";
    }

    std::string element(unsigned depth) { return depth < 4 && m_input.flag() ? structure(depth + 1) : integer(); }

    void addMember(std::vector<std::string>& members, unsigned depth)
    {
        const std::string name = "m" + std::to_string(m_names++);
        const std::size_t shape = m_input.below(m_isJson ? 11 : 8);
        const std::string length = m_lengths.empty() ? "" : m_lengths[m_input.below(m_lengths.size())];
        const std::string path = R"("path":[")" + length + R"("]})";
        const std::string count = std::to_string(m_input.below(9));
        switch (shape) {
        case 0:
            members.push_back(member(integer(), name));
            if (depth == 0)
                m_lengths.push_back(name);
            break;
        case 1: members.push_back(member(integer(), name)); break;
        case 2: members.push_back(member(m_isJson ? R"({"type":"null-terminated-string"})" : "string", name)); break;
        case 3: members.push_back(member(real(), name)); break;
        case 4: members.push_back(member(integer(true), name)); break;
        case 5:
            members.push_back(m_isJson ? member(R"({"type":"static-length-array","length":)" + count + R"(,"element-field-class":)"
                                                    + element(depth) + "}",
                                                name)
                                       : member(element(depth), name, "[" + count + "]"));
            break;
        case 6:
            if (length.empty())
                break;
            members.push_back(m_isJson ? member(R"({"type":"dynamic-length-array","element-field-class":)" + element(depth)
                                                    + R"(,"length-field-location":{"origin":"event-record-payload",)" + path + "}",
                                                name)
                                       : member(element(depth), name, "[" + length + "]"));
            break;
        case 7:
            if (m_isJson) {
                if (!length.empty())
                    members.push_back(member(R"({"type":"variant","selector-field-location":{"origin":"event-record-payload",)" + path
                                                 + R"(,"options":[{"selector-field-ranges":[[0,1]],"field-class":)" + element(depth)
                                                 + R"(},{"selector-field-ranges":[[2,99]],"field-class":)" + element(depth) + "}]}",
                                             name));
            } else {
                members.push_back("enum : integer { size = 8; align = 8; } { a, b, c = 3 ... 255 } tag" + name + "; ");
                members.push_back("variant <tag" + name + "> { " + member(element(depth), "a") + member(element(depth), "b")
                                  + member(integer(), "c") + "} " + name + "; ");
            }
            break;
        case 8:
            members.push_back(member(
                std::string(R"({"type":"static-length-)") + (m_input.flag() ? "blob" : "string") + R"(","length":)" + count + "}", name));
            break;
        case 9:
            if (!length.empty())
                members.push_back(member(std::string(R"({"type":"dynamic-length-)") + (m_input.flag() ? "blob" : "string")
                                             + R"(","length-field-location":{"origin":"event-record-payload",)" + path + "}",
                                         name));
            break;
        default:
            if (!length.empty())
                members.push_back(member(R"({"type":"optional","selector-field-location":{"origin":"event-record-payload",)" + path
                                             + R"(,"selector-field-ranges":[[1,200]],"field-class":)" + element(depth) + "}",
                                         name));
        }
    }

    FuzzInput& m_input;
    const bool m_isJson;
    unsigned m_names = 0;
    std::vector<std::string> m_lengths; ///< Names of integers of the payload's top level that precede the next member.
};

std::string makeTsdl(FuzzInput& input, bool hasLargeHeader)
{
    std::string text = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
clock { name = c; freq = 1000000000; offset = 5; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := stamp;
stream { id = 0;
    packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; u64 packet_seq_num;
        u64 events_discarded; u32 cpu_id; };
)";
    text += hasLargeHeader ? R"(    event.header := struct { enum : integer { size = 5; } { compact = 0 ... 30, extended = 31 } id;
        variant <id> { struct { integer { size = 27; map = clock.c.value; } timestamp; } compact;
        struct { u32 id; stamp timestamp; } extended; } v; } align(8);
)"
                           : "    event.header := struct { integer { size = 2; } id; integer { size = 22; map = clock.c.value; } "
                             "timestamp; };\n";
    text += "    event.context := struct { integer { size = 32; align = 8; signed = true; } _tid; };\n};\n";
    for (int id = 0; id < 3; ++id)
        text += "event { id = " + std::to_string(id) + "; name = \"e" + std::to_string(id)
            + "\"; stream_id = 0; fields := " + FieldWriter(input, false).structure() + "; };\n";
    return text;
}

std::string makeJson(FuzzInput& input)
{
    const auto integer = [](const char* name, int bits, const char* role) {
        return std::string(R"({"name":")") + name
            + R"(","field-class":{"type":"fixed-length-unsigned-integer","byte-order":"little-endian",)" + R"("alignment":)"
            + (bits % 8 == 0 ? "8" : "1") + R"(,"length":)" + std::to_string(bits) + R"(,"roles":[")" + role + R"("]}})";
    };
    const std::string mark = "\x1e";
    std::string text = mark + R"({"type":"preamble","version":2})" + mark
        + R"({"type":"trace-class","packet-header-field-class":{"type":"structure","member-classes":[)"
        + integer("magic", 32, "packet-magic-number") + "," + integer("stream_id", 32, "data-stream-class-id") + "]}}" + mark
        + R"({"type":"clock-class","id":"c","name":"c","frequency":1000000000})" + mark
        + R"({"type":"data-stream-class","id":0,"default-clock-class-name":"c","default-clock-class-id":"c",)"
        + R"("packet-context-field-class":{"type":"structure","member-classes":[)" + integer("b", 64, "default-clock-timestamp") + ","
        + integer("e", 64, "packet-end-default-clock-timestamp") + "," + integer("c", 64, "packet-content-length") + ","
        + integer("s", 64, "packet-total-length") + "," + integer("n", 64, "packet-sequence-number") + ","
        + integer("d", 64, "discarded-event-record-counter-snapshot") + "," + integer("cpu_id", 32, "x")
        + R"(]},"event-record-header-field-class":{"type":"structure","member-classes":[)" + integer("id", 2, "event-record-class-id") + ","
        + integer("t", 22, "default-clock-timestamp") + "]}}";
    for (int id = 0; id < 3; ++id)
        text += mark + R"({"type":"event-record-class","id":)" + std::to_string(id) + R"(,"name":"e","data-stream-class-id":0,)"
            + R"("payload-field-class":)" + FieldWriter(input, true).structure() + "}";
    return text;
}

/// Makes a stream file of packets, and its index.
std::pair<std::string, std::string> makeStream(FuzzInput& input)
{
    FuzzBytes stream;
    FuzzBytes index(true);
    index.u32(0xC1F1DCC1).u32(1).u32(1).u32(72);
    // The index is used only if there are more packets than the reader compares with it.
    const std::size_t packets = 1 + input.below(12);
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < packets; ++i) {
        // An invalid number of the header replaces a valid one in about one of four packets.
        const std::uint8_t fault = input.byte();
        std::string content(i + 1 == packets ? input.rest() : input.text());
        constexpr std::size_t HeadBytes = 60;
        const std::uint64_t contentBits = 8 * (HeadBytes + content.size());
        const std::size_t padding = input.below(3) * 8;
        std::array<std::uint64_t, 8> numbers{0xC1FC1FC1, time, time + 1000, contentBits, contentBits + 8 * padding, i, fault / 200U, i % 2};
        if (fault < 64)
            numbers[fault % numbers.size()] = input.number();
        index.u64(stream.all.size()).u64(numbers[4]).u64(numbers[3]).u64(numbers[1]).u64(numbers[2]).u64(numbers[6]).u64(0).u64(0).u64(i);
        stream.u32(numbers[0]).u32(0);
        for (std::size_t number = 1; number <= 6; ++number)
            stream.u64(numbers[number]);
        stream.u32(numbers[7]).raw(content).zeros(padding);
        time += 1000;
    }
    return {stream.all, index.all};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    FuzzInput input(data, size);
    const std::uint8_t mode = input.byte();
    folder.write("metadata", mode % 3 == 0 ? makeJson(input) : makeTsdl(input, mode % 3 == 1));
    const auto [stream, index] = makeStream(input);
    folder.write("stream", stream);
    std::filesystem::create_directories(folder.path() / "index");
    if ((mode & 0x40) != 0)
        folder.write("index/stream.idx", index);
    else
        std::filesystem::remove(folder.path() / "index/stream.idx");
    for (const TraceSource& source : ctf::findTraces(folder.path())) {
        auto opening = ctf::beginCtf(source);
        if (!opening)
            continue;
        (void)(*opening)->provisionalTrace();
        const auto trace = (*opening)->finish([](const auto&) {}, {});
        if (!trace)
            continue;
        decodeAll(**trace);
        const std::filesystem::path cut = folder.path() / "cut";
        if (const auto* cuttable = dynamic_cast<const CuttableTrace*>(trace->get()); cuttable && (mode & 0x80) != 0)
            (void)cuttable->writeCutOut({hostTime(100), hostTime(1900)}, cut, {});
        std::filesystem::remove_all(cut);
    }
    return 0;
}
