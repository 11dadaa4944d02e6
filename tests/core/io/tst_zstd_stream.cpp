#include "core/io/spill_buffer.h"
#include "core/io/unpack.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QTest>

#include <algorithm>
#include <zstd.h>

using namespace helio;

namespace {

std::span<const std::byte> bytesOf(const QByteArray& bytes) { return std::as_bytes(std::span(bytes.data(), std::size_t(bytes.size()))); }

QByteArray compressed(const QByteArray& plain)
{
    QByteArray packed(qsizetype(ZSTD_compressBound(std::size_t(plain.size()))), '\0');
    packed.truncate(qsizetype(ZSTD_compress(packed.data(), std::size_t(packed.size()), plain.data(), std::size_t(plain.size()), 1)));
    return packed;
}

QByteArray counted(int size)
{
    QByteArray bytes;
    for (int i = 0; bytes.size() < size; ++i)
        bytes += QByteArray::number(i) + ' ';
    return bytes;
}

} // namespace

class ZstdStreamTest : public QObject {
    Q_OBJECT

private slots:
    void whatComesInPiecesComesOutWhole_data()
    {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 7, 1000, 10'000'000})
            QTest::newRow(qPrintable(QString::number(piece))) << piece;
    }
    void whatComesInPiecesComesOutWhole()
    {
        QFETCH(int, piece);
        const QByteArray plain = counted(300'000);
        const QByteArray packed = compressed(plain) + compressed("second frame");
        ZstdStream stream;
        SpillBuffer out;

        for (qsizetype at = 0; at < packed.size(); at += piece)
            QVERIFY(stream.decode(bytesOf(packed.mid(at, piece)), [&](auto part) { return bool(out.append(part)); }));

        const auto bytes = out.bytes();
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())), plain + "second frame");
    }

    void whatIsNoZstdIsAnError()
    {
        ZstdStream stream;
        const auto decoded = stream.decode(bytesOf("this is not compressed"), [](auto) { return true; });
        QVERIFY(!decoded);
        QVERIFY(decoded.error().kind == Error::Kind::Corrupt);
    }

    void aBombIsStoppedByWhoTakesIt()
    {
        const QByteArray packed = compressed(QByteArray(100'000'000, 'x'));
        ZstdStream stream;
        std::size_t taken = 0;
        QVERIFY(stream.decode(bytesOf(packed), [&](auto part) { return (taken += part.size()) < 1'000'000; }));
        QVERIFY(taken >= 1'000'000 && taken < 1'200'000);
    }

    /// Property: buffers keep their bytes when they move from memory to a file, because all of them together are too large.
    void spillBuffersKeepTheirBytesWhenTheyMove()
    {
        constexpr std::size_t Size = std::size_t{140} << 20;
        SpillBuffer first;
        SpillBuffer second;
        for (SpillBuffer* buffer : {&first, &second})
            for (std::size_t i = 0; buffer->bytes().size() < Size; ++i)
                QVERIFY(buffer->append(bytesOf(QByteArray(1 << 20, char('a' + i % 26)))));
        for (const SpillBuffer* buffer : {&first, &second})
            for (std::size_t i = 0; i < Size; i += 100'003)
                QCOMPARE(char(buffer->bytes()[i]), char('a' + (i >> 20) % 26));
    }

    void aSpillBufferGivesRoomAndTakesItBack()
    {
        SpillBuffer buffer;
        QVERIFY(buffer.append(bytesOf("ab")));
        auto room = buffer.extend(3'000'000);
        QVERIFY(room && room->size() == 3'000'000);
        std::ranges::fill(*room, std::byte{'c'});
        buffer.shrink(2'999'999);
        QVERIFY(buffer.append(bytesOf("d")));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(buffer.bytes().data()), qsizetype(buffer.bytes().size())), QByteArray("abcd"));
    }

    void aSpillBufferKeepsWhatItWasGiven()
    {
        SpillBuffer buffer;
        QVERIFY(buffer.bytes().empty());
        for (int i = 0; i < 5'000'000; i += 1000) {
            const QByteArray part(1000, char('a' + i / 1000 % 26));
            QVERIFY(buffer.append(bytesOf(part)));
        }
        const auto bytes = buffer.bytes();
        QCOMPARE(bytes.size(), std::size_t(5'000'000));
        for (std::size_t i = 0; i < bytes.size(); i += 333)
            QCOMPARE(char(bytes[i]), char('a' + i / 1000 % 26));
    }
};

HELIO_TEST(ZstdStreamTest)
#include "tst_zstd_stream.moc"
