#include "core/io/gzip_writer.h"
#include "core/io/text_source.h"
#include "core/io/unpack.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <zstd.h>

using namespace helio;

namespace {

std::span<const std::byte> bytesOf(const QByteArray& bytes) { return std::as_bytes(std::span(bytes.data(), std::size_t(bytes.size()))); }

QByteArray packedWithGzip(const QByteArray& plain)
{
    QByteArray packed;
    GzipWriter writer([&](std::string_view part) { packed.append(part.data(), qsizetype(part.size())); });
    writer.write({plain.data(), std::size_t(plain.size())});
    writer.finish();
    return packed;
}

QByteArray packedWithZstd(const QByteArray& plain)
{
    QByteArray packed(qsizetype(ZSTD_compressBound(std::size_t(plain.size()))), '\0');
    packed.truncate(qsizetype(ZSTD_compress(packed.data(), std::size_t(packed.size()), plain.data(), std::size_t(plain.size()), 1)));
    return packed;
}

/// Numbers separated by blanks, at least `size` bytes.
QByteArray numbers(int size)
{
    QByteArray bytes;
    for (int i = 0; bytes.size() < size; ++i)
        bytes += QByteArray::number(i * 7919) + ' ';
    return bytes;
}

/// Result of unpack(): all output, and whether it succeeded.
struct Unpacked {
    QByteArray text;
    bool isWhole = false;
};

Unpacked unpackAll(const QByteArray& packed)
{
    Unpacked result;
    result.isWhole = bool(unpack(bytesOf(packed), [&](std::span<const std::byte> part) {
        result.text.append(reinterpret_cast<const char*>(part.data()), qsizetype(part.size()));
        return true;
    }));
    return result;
}

} // namespace

class UnpackTest : public QObject {
    Q_OBJECT

private slots:
    void packers_data()
    {
        QTest::addColumn<bool>("isGzip");
        QTest::newRow("gzip") << true;
        QTest::newRow("zstd") << false;
    }
    void wholeStreamsAreUnpacked_data() { packers_data(); }
    void wholeStreamsAreUnpacked()
    {
        QFETCH(bool, isGzip);
        const auto pack = isGzip ? packedWithGzip : packedWithZstd;
        const QByteArray plain = numbers(300'000);
        const Unpacked whole = unpackAll(pack(plain) + pack("second part"));
        QVERIFY(whole.isWhole);
        QCOMPARE(whole.text, plain + "second part");
        QCOMPARE(unpackAll(packedWithGzip(plain) + QByteArray(512, '\0')).text, plain);
        QCOMPARE(unpackAll(packedWithZstd(pack(plain))).text, plain);
    }

    /// Property: a cut or damaged stream gives all that can be unpacked before the end or the damage, even if this is little.
    void damagedStreamsGiveTheirBeginning_data() { packers_data(); }
    void damagedStreamsGiveTheirBeginning()
    {
        QFETCH(bool, isGzip);
        const auto pack = isGzip ? packedWithGzip : packedWithZstd;
        const QByteArray plain = isGzip ? numbers(20'000) : numbers(400'000); // zstd has blocks of 128 KiB.
        const QByteArray packed = pack(plain);
        const Unpacked half = unpackAll(packed.first(packed.size() / 2));
        QVERIFY(!half.isWhole);
        QVERIFY2(half.text.size() > plain.size() / 4, qPrintable(QString::number(half.text.size())));
        QVERIFY(plain.startsWith(half.text));
        const auto prefix = unpackPrefix(bytesOf(packed.first(packed.size() / 2)), 1000);
        QVERIFY(prefix && prefix->size() == 1000);
        QVERIFY(!unpackAll(packed.first(5)).isWhole);
    }

    /// Property: the format of compressed JSON may show after the first 64 KiB.
    void moreOfCompressedJsonIsReadToRecognizeIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("x.gz");
        const auto plainTextOf = [&](const QByteArray& text) {
            QFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(packedWithGzip(text)) < 0)
                qFatal("cannot write");
            file.close();
            const auto source = TextSource::open(path.toStdString());
            return source ? QByteArray((*source)->plainText().data(), qsizetype((*source)->plainText().size())) : QByteArray();
        };
        const QByteArray json = "{" + numbers(100'000) + "}";
        QCOMPARE(plainTextOf(json), json);
        QCOMPARE(plainTextOf(numbers(100'000)).size(), 64 << 10);
    }
};

HELIO_TEST(UnpackTest)
#include "tst_unpack.moc"
