#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const TraceFormat& ctf()
{
    for (const auto* format : builtinTraceFormats())
        if (format->name == "ctf")
            return *format;
    std::abort();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A copy of a recorded trace, whose metadata the test damages.
class Copy {
public:
    explicit Copy(const QString& folder)
    {
        const QDir from(folder);
        for (const auto& name : from.entryList(QDir::Files))
            QFile::copy(from.filePath(name), m_folder.filePath(name));
        m_metadata = contentOf(from.filePath("metadata"));
        QFile::remove(m_folder.filePath("metadata"));
    }

    const QByteArray& metadata() const { return m_metadata; }

    struct Read {
        QString error;
        QStringList kinds; ///< Kinds of the reported diagnostics.
        quint64 events = 0;
    };
    Read readWith(const QByteArray& metadata) const
    {
        QFile file(m_folder.filePath("metadata"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(metadata) != metadata.size())
            qFatal("the metadata cannot be written");
        file.close();
        Read read;
        const std::filesystem::path folder = m_folder.path().toStdString();
        const auto trace = ctf().open({folder, {folder}});
        if (!trace) {
            read.error = QString::fromStdString(trace.error().what);
            return read;
        }
        MergedEvents events(**trace);
        while (events.next())
            ++read.events;
        for (const Diagnostic& it : (*trace)->diagnostics())
            read.kinds << QString::fromStdString(it.kind);
        for (const Diagnostic& it : events.diagnostics())
            read.kinds << QString::fromStdString(it.kind);
        return read;
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_metadata;
};

} // namespace

/// Property: with any damage to a trace's metadata, opening ends, the intact part is read and the rest is reported. libbabeltrace2 2.0.4
/// is no reference here, because it hangs on most of these texts.
class DamagedMetadataTest : public QObject {
    Q_OBJECT

private slots:
    void cutAnywhereItIsReadAsFarAsItGoes_data() { addTraces(); }
    void cutAnywhereItIsReadAsFarAsItGoes()
    {
        QFETCH(QString, folder);
        const Copy copy(folder);
        const quint64 all = copy.readWith(copy.metadata()).events;
        quint64 most = 0;

        for (qsizetype length = 1; length < copy.metadata().size(); length += std::max<qsizetype>(1, copy.metadata().size() / 397)) {
            const auto read = copy.readWith(copy.metadata().first(length));

            QVERIFY2(read.error.isEmpty() || read.error.contains("metadata"), qPrintable(read.error));
            QVERIFY(read.events <= all);
            QVERIFY2(!read.error.isEmpty() || read.events == all || !read.kinds.isEmpty(),
                     qPrintable(QString("cut at %1, %2 of %3 events are left without a word").arg(length).arg(read.events).arg(all)));
            most = std::max(most, read.events);
        }
        QVERIFY(all > 0);
        QVERIFY2(most > 0, "nothing is read however little is missing");
    }

    void withWrongBytesWhatIsWholeIsRead_data() { addTraces(); }
    void withWrongBytesWhatIsWholeIsRead()
    {
        QFETCH(QString, folder);
        const Copy copy(folder);
        Dice dice(4711);
        int partly = 0;

        for (int round = 0; round < 300; ++round) {
            QByteArray metadata = copy.metadata();
            for (quint64 flips = dice.below(3) + 1; flips > 0; --flips) {
                const auto at = qsizetype(dice.below(quint64(metadata.size())));
                metadata[at] = char(metadata[at] ^ (1 << dice.below(8)));
            }
            const auto read = copy.readWith(metadata);
            partly += read.error.isEmpty() && read.kinds.contains("damaged-metadata");
            QVERIFY2(read.error.isEmpty() || read.error.contains("metadata"), qPrintable(read.error));
        }
        QVERIFY2(partly > 0, "a single wrong byte costs the whole trace each time");
    }

    void whatIsDamagedIsNamed()
    {
        const Copy copy(QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small/kernel"));
        const quint64 all = copy.readWith(copy.metadata()).events;
        QByteArray metadata = copy.metadata();
        const auto at = metadata.lastIndexOf("event {");
        metadata.replace(at + 7, 1, "}");

        const auto read = copy.readWith(metadata);

        QCOMPARE(read.error, QString());
        QVERIFY(read.kinds.contains("damaged-metadata"));
        QVERIFY(read.events > 0 && read.events <= all);
    }

private:
    static void addTraces()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("user space") << SOURCE_DIR "/tests/fixtures/ust-callstack/ust/uid/0/64-bit";
        QTest::newRow("kernel") << SOURCE_DIR "/tests/fixtures/kernel-small/kernel";
    }
};

HELIO_TEST(DamagedMetadataTest)
#include "tst_damaged_metadata.moc"
