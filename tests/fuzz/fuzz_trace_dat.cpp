// Fuzzer of the reader of trace.dat files; decodes all events. The input is a file, or chooses the contents of a valid file of version 6
// or 7. No input may cause a crash, a hang, or more memory use than the size of the file justifies.

#include "tests/fuzz/fuzz_formats.h"

#include <array>
#include <zstd.h>

namespace helio {
extern const TraceFormat traceDatFormat;
}

using namespace helio;

namespace {

constexpr std::size_t PageBytes = 4096;

class TraceDatMaker {
public:
    explicit TraceDatMaker(FuzzInput& input)
        : m_input(input)
        , m_mode(input.byte())
    {
    }

    std::string make() { return (m_mode & 1) != 0 ? makeVersion7() : makeVersion6(); }

private:
    bool isBigEndian() const { return m_mode % 16 == 2; }
    bool isPacked() const { return (m_mode & 4) != 0; }
    FuzzBytes bytes() const { return FuzzBytes(isBigEndian()); }
    std::string sized(std::string_view text) const { return bytes().u64(text.size()).raw(text).all; }
    std::string counted(std::string_view text) const { return bytes().u32(text.size()).raw(text).all; }

    std::string makeHead(std::string_view version) const
    {
        return bytes().raw(std::string_view("\x17\x08\x44tracing", 10)).raw(version).zeros(1).u8(isBigEndian()).u8(8).u32(PageBytes).all;
    }

    std::string makePageFormat() const
    {
        const std::string_view page =
            "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\t"
            "signed:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
        return std::string("header_page\0", 12) + sized(page) + std::string("header_event\0", 13) + sized("");
    }

    std::string makeFormat(std::string_view name, int id)
    {
        std::string format = "name: " + std::string(name) + "\nID: " + std::to_string(id)
            + "\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;"
              "\tsigned:1;\n\n";
        unsigned offset = 8;
        for (std::size_t i = 0, count = m_input.below(5); i < count; ++i) {
            constexpr std::array<std::string_view, 6> Types{"char a[16]", "__data_loc char[] b", "long c", "int d", "u8 e[4]", "char f[]"};
            constexpr std::array<unsigned, 6> Sizes{16, 4, 8, 4, 4, 0};
            const std::size_t type = m_input.below(Types.size());
            const unsigned size = m_input.byte() % 16 == 0 ? m_input.byte() : Sizes[type];
            format += "\tfield:" + std::string(Types[type]) + ";\toffset:" + std::to_string(offset) + ";\tsize:" + std::to_string(size)
                + ";\tsigned:" + (m_input.flag() ? "1" : "0") + ";\n";
            offset += size;
        }
        return sized(format.append(m_input.text()).append("\nprint fmt: \"%d\", REC->d\n"));
    }
    std::string makeFtraceFormats() { return bytes().u32(1).raw(makeFormat("print", 5)).all; }
    std::string makeEventFormats()
    {
        return bytes().u32(1).raw(std::string_view("sched\0", 6)).u32(2).raw(makeFormat("sched_switch", 7)).raw(makeFormat("other", 8)).all;
    }

    /// Makes a page of the ring buffer.
    std::string makePage()
    {
        FuzzBytes data = bytes();
        while (data.all.size() < PageBytes - 400 && m_input.byte() % 16 != 0 && !m_input.isEmpty()) {
            const std::uint8_t choice = m_input.byte();
            const auto head = [&](unsigned type, std::uint64_t delta) {
                data.u32(isBigEndian() ? std::uint64_t{type} << 27 | delta : type | delta << 5);
            };
            if (choice < 200) {
                FuzzBytes event = bytes();
                event.u16(m_input.byte() % 8 == 0 ? m_input.byte() : 7 + choice % 2).u16(0).u32(10 + choice % 3);
                event.raw(m_input.text().substr(0, 96)).align(4);
                const bool isLarge = event.all.size() > 112;
                head(isLarge ? 0 : static_cast<unsigned>(event.all.size() / 4), m_input.byte());
                if (isLarge)
                    data.u32(event.all.size() + 4);
                data.raw(event.all);
            } else if (choice < 230) { // A time extension, or an absolute time.
                head(30 + choice % 2, m_input.byte());
                data.u32(m_input.number());
            } else { // Padding, or any word.
                head(choice < 240 ? 29 : m_input.byte() % 32, m_input.byte() % 4);
                data.u32(m_input.byte() % 64);
            }
        }
        const std::uint64_t lost = m_input.byte() % 4 == 0 ? std::uint64_t{3} << 30 : 0;
        FuzzBytes page = bytes();
        page.u64(m_time += m_input.take<std::uint16_t>()).u64((m_input.byte() % 16 == 0 ? m_input.number() : data.all.size()) | lost);
        page.raw(data.all);
        if (lost != 0)
            page.u64(m_input.number());
        page.all.resize(PageBytes);
        return page.all;
    }
    std::string makePages()
    {
        std::string pages;
        for (std::size_t left = m_input.below(3); left > 0; --left)
            pages += makePage();
        return pages;
    }

    std::string makeOption(unsigned id, std::string_view value) const { return bytes().u16(id).u32(value.size()).raw(value).all; }
    std::string makeOptions()
    {
        std::string options;
        for (std::size_t left = m_input.below(4); left > 0; --left)
            options += makeOption(m_input.byte() % 24, m_input.text());
        return options;
    }

    std::string makeVersion6()
    {
        FuzzBytes file = bytes();
        file.raw(makeHead("6")).raw(makePageFormat()).raw(makeFtraceFormats()).raw(makeEventFormats()).raw(counted(m_input.text()));
        file.raw(counted(m_input.text())).raw(sized("10 app\n")).u32(2);
        file.raw(std::string_view("options  \0", 10)).raw(makeOptions()).u16(0).raw(std::string_view("flyrecord\0", 10));
        const std::array pages{makePages(), makePages()};
        const std::uint64_t first = (file.all.size() + 32 + PageBytes - 1) / PageBytes * PageBytes;
        file.u64(m_input.byte() % 16 == 0 ? m_input.number() : first).u64(pages[0].size());
        file.u64(first + pages[0].size()).u64(m_input.byte() % 16 == 0 ? m_input.number() : pages[1].size());
        return file.align(PageBytes).raw(pages[0]).raw(pages[1]).all;
    }

    std::string makeBlock(std::string_view content) const
    {
        std::string packed(ZSTD_compressBound(content.size()), '\0');
        packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 1));
        return bytes().u32(packed.size()).u32(content.size()).raw(packed).all;
    }
    std::string makeSection(unsigned id, std::string_view content) const
    {
        const bool packs = isPacked() && id != 0;
        const std::string body = packs ? makeBlock(content) : std::string(content);
        return bytes().u16(id).u16(packs).u32(0).u64(body.size()).raw(body).all;
    }

    std::string makeVersion7()
    {
        FuzzBytes file = bytes();
        file.raw(makeHead("7")).raw(isPacked() ? "zstd" : "none").zeros(1).raw("1.0").zeros(1);
        const std::size_t link = file.all.size();
        file.u64(0);
        std::string options = makeOptions();
        const std::array<std::string, 6> sections{makePageFormat(),        makeFtraceFormats(),     makeEventFormats(),
                                                  counted(m_input.text()), counted(m_input.text()), sized("10 app\n")};
        for (unsigned i = 0; i < sections.size(); ++i) {
            options += makeOption(16 + i, bytes().u64(m_input.byte() % 32 == 0 ? m_input.number() : file.all.size()).all);
            file.raw(makeSection(16 + i, sections[i]));
        }
        FuzzBytes buffer = bytes();
        buffer.u64(file.all.size()).zeros(1).raw("local").zeros(1).u32(PageBytes).u32(2);
        const std::size_t sizeAt = file.all.size() + 8;
        file.u16(3).u16(isPacked()).u32(0).u64(0);
        for (unsigned cpu = 0; cpu < 2; ++cpu) {
            file.align(PageBytes);
            const std::string pages = makePages();
            const std::string content = isPacked() ? bytes().u32(1).raw(makeBlock(pages)).all : pages;
            buffer.u32(cpu).u64(file.all.size()).u64(m_input.byte() % 16 == 0 ? m_input.number() : content.size());
            file.raw(content);
        }
        file.all.replace(sizeAt, 8, bytes().u64(file.all.size() - sizeAt - 8).all);
        options += makeOption(m_input.byte() % 8 == 0 ? m_input.byte() % 24 : 3, buffer.all);
        file.all.replace(link, 8, bytes().u64(file.all.size()).all);
        return file.raw(makeSection(0, options + makeOption(0, bytes().u64(0).all))).all;
    }

    FuzzInput& m_input;
    const std::uint8_t m_mode;
    std::uint64_t m_time = 1'000'000;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzzText(data, size);
    FuzzInput input(data, size);
    openAndDecode(traceDatFormat, bytes.starts_with("\x17\x08\x44") ? std::string(bytes) : TraceDatMaker(input).make());
    return 0;
}
