#include "core/symbol/lines/debug_info.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace helio;

namespace {

std::shared_ptr<const ElfFile> fixture(const char* name) { return *ElfFile::open(std::filesystem::path(SYMBOL_FIXTURES) / name); }

const ElfSection& text(const ElfFile& file) { return *file.section(".text"); }

/// Makes an ELF file that has only debug information (DWARF 4, C++).
std::shared_ptr<const ElfFile> fileWith(const QByteArray& abbreviations, const QByteArray& dies)
{
    MadeBytes info;
    info.u32(static_cast<std::uint64_t>(7 + dies.size())).u16(4).u32(0).u8(8).raw(dies);
    const QByteArray names("\0.debug_abbrev\0.debug_info\0.shstrtab\0", 37);
    MadeBytes sections;
    const auto add = [&](std::uint32_t name, std::uint32_t type, qsizetype offset, qsizetype size) {
        sections.u32(name).u32(type).u64(0).u64(0).u64(static_cast<std::uint64_t>(offset)).u64(static_cast<std::uint64_t>(size));
        sections.u32(0).u32(0).u64(1).u64(0);
    };
    const qsizetype abbreviationsAt = 64, infoAt = abbreviationsAt + abbreviations.size(), namesAt = infoAt + info.bytes.size();
    add(0, 0, 0, 0);
    add(1, 1, abbreviationsAt, abbreviations.size()); // SHT_PROGBITS
    add(15, 1, infoAt, info.bytes.size());
    add(27, 3, namesAt, names.size()); // SHT_STRTAB
    MadeBytes file;
    file.u32(0x464c457f).u8(2).u8(1).u8(1).raw(QByteArray(9, '\0')).u16(3).u16(62).u32(1).u64(0).u64(0);
    file.u64(static_cast<std::uint64_t>(namesAt + names.size())).u32(0).u16(64).u16(0).u16(0).u16(64).u16(4).u16(3);
    file.raw(abbreviations).raw(info.bytes).raw(names).raw(sections.bytes);
    const auto* const bytes = reinterpret_cast<const std::byte*>(file.bytes.constData());
    auto made = ElfFile::fromBytes({bytes, bytes + file.bytes.size()}, "made");
    return made ? *made : nullptr;
}

} // namespace

class DebugInfoTest : public QObject {
    Q_OBJECT

private slots:
    void siblingsThatFormACircleAreNotFollowed()
    {
        MadeBytes abbreviations;
        // Abbreviation of the unit: low_pc, high_pc, language.
        for (const int byte :
             // Abbreviation of a namespace: attribute name.
             {1, 0x11, 1, 0x11, 0x01, 0x12, 0x07, 0x13, 0x0b, 0, 0, 2, 0x39, 1, 0x03, 0x08, 0, 0, 3, 0x2e, 0, 0x03, 0x08, 0x11, 0x01, 0x12,
              0x07, 0, 0, // Abbreviation of a function: name, low_pc, high_pc.
              // Abbreviation of a structure: attribute sibling, a reference to the entry that follows the structure.
              4, 0x13, 0, 0x01, 0x13, 0, 0, 0})
            abbreviations.u8(static_cast<std::uint64_t>(byte));
        MadeBytes dies;
        // Entry of the unit: addresses from 0x1000 on, 0x100 bytes, language C++ (DW_LANG_C_plus_plus).
        dies.u8(1).u64(0x1000).u64(0x100).u8(4);
        dies.u8(2).raw(QByteArray("n", 2));
        // Offset of the function's entry: 11 bytes of the unit's header precede the entries.
        const auto function = static_cast<std::uint64_t>(11 + dies.bytes.size());
        dies.u8(3).raw(QByteArray("f", 2)).u64(0x1000).u64(0x10);
        dies.u8(4).u32(function);
        dies.u8(0).u8(0);
        const auto file = fileWith(abbreviations.bytes, dies.bytes);
        QVERIFY(file);
        const auto info = DebugInfo::make(file);
        QVERIFY(info);
        const auto frames = info->framesAt(0x1008);
        QCOMPARE(frames.size(), 1u);
        QCOMPARE(frames[0].function, std::string("n::f"));
    }

    void whatWasGivenBackIsReadAgain_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("shop");
        QTest::newRow("compressed sections, which are unpacked where they lie") << QByteArray("shop-compressed");
    }
    void whatWasGivenBackIsReadAgain()
    {
        QFETCH(QByteArray, name);
        const auto whole = fixture("shop");
        const auto file = fixture(name.constData());
        const std::vector<std::byte> before(file->bytes().begin(), file->bytes().end());
        const auto patient = DebugInfo::make(whole);
        const auto forgetful = DebugInfo::make(file, {}, 1); // A cache limit of one byte: everything is released after use.
        QVERIFY(patient && forgetful);

        std::size_t lines = 0;
        const ElfSection& code = text(*whole);
        for (std::uint64_t at = code.address; at < code.address + code.size; at += 7) {
            const auto expected = patient->framesAt(at);
            const auto frames = forgetful->framesAt(at);
            QCOMPARE(frames.size(), expected.size());
            for (std::size_t i = 0; i < frames.size(); ++i) {
                QCOMPARE(frames[i].function, expected[i].function);
                QVERIFY(frames[i].source == expected[i].source);
                lines += frames[i].source.line > 0;
            }
        }
        QVERIFY(lines > 20);
        // Queries must not change the bytes of the file, because other threads may read them at the same time.
        QVERIFY(std::ranges::equal(before, file->bytes()));
    }

    /// Property: information that was split off into a .dwo file is found there. Reference: the program with all of it in one file.
    void splitInformationIsRead()
    {
        const auto whole = fixture("shop");
        const auto split = fixture("shop-split");
        const ElfSection& code = text(*whole);
        QVERIFY(std::ranges::equal(whole->bytesOf(code), split->bytesOf(text(*split))));
        const auto expected = DebugInfo::make(whole);
        const auto found = DebugInfo::make(split);
        QVERIFY(expected && found);
        for (std::uint64_t at = code.address; at < code.address + code.size; ++at)
            QVERIFY2(found->framesAt(at) == expected->framesAt(at), qPrintable(QString::number(at, 16)));
    }

    /// Property: if libdw crashes in a query, the query has no result and the next one has; after three crashes the reason is known.
    void aHelperThatDiesIsStartedAgain()
    {
        const auto file = fixture("shop");
        const ElfSection& code = text(*file);
        const auto info = DebugInfo::make(file);
        QVERIFY(info);
        const auto framesOf = [&] {
            std::size_t count = 0;
            for (std::uint64_t at = code.address; at < code.address + code.size; at += 64)
                count += info->framesAt(at).size();
            return count;
        };
        const std::size_t expected = framesOf();
        QVERIFY(expected > 5);
        for (int crash = 0; crash < 3; ++crash) {
            QVERIFY(info->problem().empty());
            QCOMPARE(framesOf(), expected);
            QVERIFY(killHelpers() > 0);
            QVERIFY(info->framesAt(code.address).empty());
        }
        QVERIFY2(info->problem().find("libdw crashed: Killed") != std::string::npos, info->problem().c_str());
        QCOMPARE(framesOf(), 0u);
        QCOMPARE(killHelpers(), 0);
    }

    /// Property: more files than processes may run at the same time all have results.
    void manyFilesShareFewProcesses()
    {
        const auto file = fixture("shop");
        const ElfSection& code = text(*file);
        std::vector<std::shared_ptr<DebugInfo>> infos;
        for (int i = 0; i < 40; ++i)
            infos.push_back(DebugInfo::make(file));
        const auto expected = infos.front()->linesOf(code.address, code.address + code.size);
        QVERIFY(expected.size() > 20);
        for (int round = 0; round < 2; ++round)
            for (const auto& info : infos)
                QVERIFY(info && info->linesOf(code.address, code.address + code.size) == expected);
        QVERIFY(helpers().size() <= 24);
    }

private:
    /// Process IDs of the running helper programs.
    static std::vector<pid_t> helpers()
    {
        std::vector<pid_t> found;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream children(task.path() / "children");
            for (pid_t child = 0; children >> child;)
                found.push_back(child);
        }
        return found;
    }
    static int killHelpers()
    {
        const auto found = helpers();
        for (const pid_t helper : found)
            ::kill(helper, SIGKILL);
        return int(found.size());
    }
};

HELIO_TEST(DebugInfoTest)
#include "tst_debug_info.moc"
