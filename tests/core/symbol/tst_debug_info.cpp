#include "core/symbol/lines/debug_info.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

std::shared_ptr<const ElfFile> fixture(const char* name) { return *ElfFile::open(std::filesystem::path(SYMBOL_FIXTURES) / name); }

const ElfSection& text(const ElfFile& file) { return *file.section(".text"); }

} // namespace

class DebugInfoTest : public QObject {
    Q_OBJECT

private slots:
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
        const auto forgetful = DebugInfo::make(file, {}, 1); // Beyond one byte all is given back.
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
        QVERIFY(std::ranges::equal(before, file->bytes())); // Others read them at the same time.
    }
};

HELIO_TEST(DebugInfoTest)
#include "tst_debug_info.moc"
