// Hosts in commands of several: what info says of their clocks.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace helio;

namespace {

QStringList webFirst() { return {SOURCE_DIR "/tests/fixtures/two-hosts-small/web", SOURCE_DIR "/tests/fixtures/two-hosts-small/db"}; }

QJsonObject infoOf(int trace, const QStringList& more)
{
    const QByteArray text = heliograph(QStringList{"info", "--json", "--quiet"} + webFirst() + more).out;
    return QJsonDocument::fromJson(text).object()["traces"].toArray()[trace].toObject();
}

} // namespace

class HostOptionsTest : public QObject {
    Q_OBJECT

private slots:
    /// Where clocks drift, what is added in the middle is between what is added at both ends.
    void infoSaysTheShiftInTheMiddleOfTheTrace()
    {
        const QJsonObject aligned = infoOf(1, {}), raw = infoOf(1, {"--no-sync"});
        const qint64 shift = aligned["clock"].toObject()["correction_ns"].toInteger();
        const qint64 atBegin = aligned["begin_ns"].toInteger() - raw["begin_ns"].toInteger();
        const qint64 atEnd = aligned["end_ns"].toInteger() - raw["end_ns"].toInteger();
        QVERIFY(atBegin != atEnd);
        QVERIFY2(std::abs(2 * shift - atBegin - atEnd) <= 4, qPrintable(QString::number(shift)));
        QCOMPARE(raw["clock"].toObject()["correction_ns"].toInteger(), 0);
        const QByteArray text = heliograph(QStringList{"info", "--quiet"} + webFirst()).out;
        QVERIFY2(text.contains("shifted by " + QByteArray::number(shift) + " ns in the middle of the trace"), text.constData());
    }

    void anOffsetIsTheSameEverywhere()
    {
        const QStringList offset{"--no-sync", "--offset", webFirst()[0] + "/kernel=5ms"};
        const QByteArray text = heliograph(QStringList{"info", "--quiet"} + webFirst() + offset).out;
        QVERIFY2(text.contains("shifted by 5000000 ns\n"), text.constData());
    }

};

HELIO_TEST(HostOptionsTest)
#include "tst_host_options.moc"
