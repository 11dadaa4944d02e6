#include "core/plugin/plugin_decisions.h"
#include "core/plugin/plugin_file.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

using Kind = PluginDecision::Kind;

QString sha256(const QByteArray& bytes)
{
    return QString::fromStdString(sha256Of(std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size())))));
}

} // namespace

class PluginDecisionsTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsSetIsReadAgain()
    {
        const QTemporaryDir folder;
        const PluginDecisions decisions(folder.filePath("deep/down/decisions").toStdString());
        QVERIFY(decisions.all().empty());
        const PluginDecision allowed{Kind::Allowed, "12ab", ""}, forbidden{Kind::Forbidden, "cd", ""};
        const PluginDecision unusable{Kind::Unusable, "ef", "it is\ta \\ \"mess\"\n"};
        QVERIFY(decisions.set("/a", allowed));
        QVERIFY(decisions.set("/with\ttab\nand line\\n.so", unusable));
        QVERIFY(decisions.set("/b c.so", allowed));
        QVERIFY(decisions.set("/b c.so", forbidden)); // The last decision for a path counts.
        const PluginDecisions again(folder.filePath("deep/down/decisions").toStdString());
        QCOMPARE(again.all(), (PluginDecisions::Map{{"/a", allowed}, {"/with\ttab\nand line\\n.so", unusable}, {"/b c.so", forbidden}}));
    }

    void linesThatAreNoneAreLeftOut()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("decisions"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "\nallowed\nallowed\t12\n\tx\ty\tz\nwanted\t12\t/a\t\nunusable-999\t12\t/other version\twhy\nallowed\t34\t/b\t\nallowed\t5");
        file.close();
        const auto all = PluginDecisions(folder.filePath("decisions").toStdString()).all();
        QCOMPARE(all, (PluginDecisions::Map{{"/b", {Kind::Allowed, "34", ""}}}));
    }

    void itIsSaidWhereNothingCanBeWritten() { QVERIFY(!PluginDecisions("/proc/nowhere/decisions").set("/a", {Kind::Allowed, "1"})); }

    /// Input: the examples of the SHA-256 standard, and all lengths around the borders of its blocks.
    void hashesAreThoseOfSha256()
    {
        QCOMPARE(sha256("abc"), QString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sha256(""), QString("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        for (int size = 0; size < 300; ++size) {
            QByteArray bytes;
            for (int i = 0; i < size; ++i)
                bytes += char(i * 7 + size);
            QCOMPARE(sha256(bytes), QString(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()));
        }
    }
};

HELIO_TEST(PluginDecisionsTest)
#include "tst_plugin_decisions.moc"
