#include "core/io/fingerprint.h"
#include "core/io/mapped_file.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

class FingerprintTest : public QObject {
    Q_OBJECT

private slots:
    void everyByteOfASmallFileCounts()
    {
        const QByteArray bytes(64 * 1024, 'a');
        const std::string before = fingerprintOf(bytes);
        for (const qsizetype at : {qsizetype(0), qsizetype(4097), qsizetype(31'000), bytes.size() - 1}) {
            QByteArray changed = bytes;
            changed[at] = 'b';
            QVERIFY(fingerprintOf(changed) != before);
        }
        QCOMPARE(fingerprintOf(bytes), before);
    }

    void aSmallFileIsTheSameAtAnyTime() { QCOMPARE(fingerprintOf("same", m_time), fingerprintOf("same", m_time.addSecs(1))); }

    void endsAndBlocksOfALargeFileCount()
    {
        const QByteArray bytes(4 << 20, 'a');
        const std::string before = fingerprintOf(bytes);
        for (const qsizetype at : {qsizetype(0), qsizetype(64 * 1024), bytes.size() - 1}) {
            QByteArray changed = bytes;
            changed[at] = 'b';
            QVERIFY(fingerprintOf(changed) != before);
        }
        QCOMPARE(fingerprintOf(bytes), before);
    }

    void aLargeFileWrittenToAnywhereIsAnother()
    {
        const QByteArray bytes(4 << 20, 'a');
        QByteArray changed = bytes;
        changed[64 * 1024 + 4096] = 'b'; // A byte between the first two hashed blocks: only the modification time reveals the change.
        QVERIFY(fingerprintOf(changed, m_time.addMSecs(1)) != fingerprintOf(bytes, m_time));
    }

private:
    std::string fingerprintOf(const QByteArray& bytes) { return fingerprintOf(bytes, m_time); }

    std::string fingerprintOf(const QByteArray& bytes, const QDateTime& modified)
    {
        const QString path = m_folder.filePath("file");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush()
            || !file.setFileTime(modified, QFileDevice::FileModificationTime))
            qFatal("cannot write");
        file.close();
        Fingerprint print;
        print.addContents(**MappedFile::open(path.toStdString()));
        return print.text();
    }

    const QDateTime m_time = QDateTime::fromMSecsSinceEpoch(1'700'000'000'123);
    QTemporaryDir m_folder;
};

HELIO_TEST(FingerprintTest)
#include "tst_fingerprint.moc"
