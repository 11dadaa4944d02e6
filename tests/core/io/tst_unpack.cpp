#include "core/io/gzip_writer.h"
#include "core/io/text_source.h"
#include "core/io/unpack.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <bzlib.h>
#include <lzma.h>
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

QByteArray packedWithXz(const QByteArray& plain)
{
    QByteArray packed(qsizetype(lzma_stream_buffer_bound(std::size_t(plain.size()))), '\0');
    std::size_t size = 0;
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(plain.constData()),
                                std::size_t(plain.size()), reinterpret_cast<std::uint8_t*>(packed.data()), &size,
                                std::size_t(packed.size()))
        != LZMA_OK)
        qFatal("cannot compress");
    return packed.first(qsizetype(size));
}

QByteArray packedWithBzip2(const QByteArray& plain)
{
    auto size = unsigned(plain.size() + plain.size() / 50 + 1000);
    QByteArray packed(qsizetype(size), '\0');
    if (BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(plain.constData()), unsigned(plain.size()), 1, 0, 0) != BZ_OK)
        qFatal("cannot compress");
    return packed.first(qsizetype(size));
}

using Pack = QByteArray (*)(const QByteArray&);

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
        QTest::addColumn<Pack>("pack");
        QTest::newRow("gzip") << &packedWithGzip;
        QTest::newRow("zstd") << &packedWithZstd;
        QTest::newRow("xz") << &packedWithXz;
        QTest::newRow("bzip2") << &packedWithBzip2;
    }
    void wholeStreamsAreUnpacked_data() { packers_data(); }
    void wholeStreamsAreUnpacked()
    {
        QFETCH(Pack, pack);
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
        QFETCH(Pack, pack);
        const QByteArray plain = numbers(pack == &packedWithGzip ? 20'000 : 800'000); // The blocks of the others are larger.
        const QByteArray packed = pack(plain);
        const Unpacked half = unpackAll(packed.first(packed.size() / 2));
        QVERIFY(!half.isWhole);
        QVERIFY2(half.text.size() > plain.size() / 8, qPrintable(QString::number(half.text.size())));
        QVERIFY(plain.startsWith(half.text));
        const auto prefix = unpackPrefix(bytesOf(packed.first(packed.size() / 2)), 1000);
        QVERIFY(prefix && prefix->size() == 1000);
        QVERIFY(!unpackAll(packed.first(5)).isWhole);
    }

    /// Property: what other tools write between two streams is skipped.
    void streamsMayHaveSomethingBetweenThem()
    {
        const QByteArray plain = numbers(1000);
        const Unpacked xz = unpackAll(packedWithXz(plain) + QByteArray(8, '\0') + packedWithXz("end"));
        QVERIFY(xz.isWhole);
        QCOMPARE(xz.text, plain + "end");
        const Unpacked zstd = unpackAll(packedWithZstd(plain) + QByteArray("\x53\x2a\x4d\x18\x03\0\0\0abc", 11) + packedWithZstd("end"));
        QVERIFY(zstd.isWhole);
        QCOMPARE(zstd.text, plain + "end");
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
