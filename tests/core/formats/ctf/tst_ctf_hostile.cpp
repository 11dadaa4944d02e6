#include "tests/support/ctf_golden.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

QByteArray damaged(QByteArray bytes, Dice& dice)
{
    if (bytes.isEmpty())
        return bytes;
    switch (dice.below(4)) {
    case 0: bytes.truncate(qsizetype(dice.below(quint64(bytes.size())))); break;
    case 1: bytes[qsizetype(dice.below(quint64(bytes.size())))] = char(0xff); break;
    case 2: {
        const auto at = qsizetype(dice.below(quint64(bytes.size())));
        bytes.remove(at, qsizetype(dice.below(8)) + 1);
        break;
    }
    default:
        for (quint64 flips = dice.below(4) + 1; flips > 0; --flips) {
            const auto at = qsizetype(dice.below(quint64(bytes.size())));
            bytes[at] = char(bytes[at] ^ (1 << dice.below(8)));
        }
    }
    return bytes;
}

void writeTo(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

/// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
class CtfHostileTest : public QObject {
    Q_OBJECT

private slots:
    void damagedTracesAreReadToAnEnd_data() { addGoldenRows(); }

    void damagedTracesAreReadToAnEnd()
    {
        QFETCH(QString, path);
        const auto golden = GoldenFile::read(path);
        Dice dice(quint64(golden.why.size()) * 7919 + golden.sections.size());
        const QTemporaryDir folder;
        golden.unpackTo(folder.path().toStdString());
        for (int round = 0; round < 60; ++round) {
            const bool isMetadata = round % 3 == 0;
            for (const auto& section : golden.sections) {
                const auto bytes = section.kind == "stream" ? parseGoldenBytes(section.lines) : section.lines.join('\n').toUtf8();
                if (section.kind == "stream")
                    writeTo(folder.filePath(section.name), isMetadata ? bytes : damaged(bytes, dice));
                else if (section.kind == "metadata" && section.name.isEmpty())
                    writeTo(folder.filePath("metadata"), isMetadata ? damaged(bytes, dice) : bytes);
            }

            const auto result = readGolden(folder.path().toStdString());

            QVERIFY(result.events.size() < 10'000);
        }
    }
};

HELIO_TEST(CtfHostileTest)
#include "tst_ctf_hostile.moc"
