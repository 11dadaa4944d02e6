#include "core/io/unpack.h"
#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace helio;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot read");
}

QString fixture(const char* name) { return QString(SOURCE_DIR "/tests/fixtures/perf/") + name; }

/// A field of a protobuf message: a number or bytes.
struct Field {
    quint64 number = 0;
    quint64 value = 0;
    QByteArray bytes;
};

/// Decoder of protobuf messages for this test alone, so that the writer is not checked against its own library.
class Message {
public:
    explicit Message(QByteArray bytes)
        : m_bytes(std::move(bytes))
    {
    }

    std::optional<Field> next()
    {
        if (m_at >= m_bytes.size())
            return {};
        const quint64 tag = varint();
        Field field{tag >> 3, 0, {}};
        if ((tag & 7) == 0) {
            field.value = varint();
        } else if ((tag & 7) == 2) {
            const auto size = qsizetype(varint());
            if (size > m_bytes.size() - m_at)
                qFatal("a message is cut off");
            field.bytes = m_bytes.mid(m_at, size);
            m_at += size;
        } else {
            qFatal("unexpected wire type");
        }
        return field;
    }

    static QList<quint64> packed(const QByteArray& bytes)
    {
        Message message(bytes);
        QList<quint64> values;
        while (message.m_at < bytes.size())
            values << message.varint();
        return values;
    }

private:
    quint64 varint()
    {
        quint64 value = 0;
        for (unsigned shift = 0; m_at < m_bytes.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
            value |= quint64(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        qFatal("a number is cut off");
    }

    QByteArray m_bytes;
    qsizetype m_at = 0;
};

QMap<quint64, quint64> numbersOf(const QByteArray& bytes)
{
    QMap<quint64, quint64> numbers;
    Message message(bytes);
    while (const auto field = message.next())
        numbers[field->number] = field->value;
    return numbers;
}

/// Returns the name of a function; the same text for all functions without a name, which folded stacks name by their module in brackets.
QString shownName(const QString& name) { return name.startsWith('[') ? QString("[unnamed]") : name; }

/// A decoded pprof file.
struct Pprof {
    QStringList types; ///< "name/unit" of each value.
    QList<QMap<quint64, quint64>> mappings;
    QMap<QString, qint64>
        stacks; ///< Sum of the values of the type `wanted` by folded stack, with the thread's name as the outermost frame.
    QList<qint64> sums; ///< Sum of all samples for each type.
    QMap<QString, QSet<QString>> labels; ///< Texts of each label.
    QStringList texts;
    QString defaultType;

    static Pprof read(const QString& path, int wanted)
    {
        const QByteArray file = contentOf(path);
        const auto bytes = unpacked(std::as_bytes(std::span(file.data(), std::size_t(file.size()))), 1 << 30);
        if (!bytes)
            qFatal("%s", bytes.error().what.c_str());
        Pprof result;
        QList<QByteArray> samples, types;
        QMap<quint64, QList<quint64>> functionsOf; // Functions by location, innermost first.
        QMap<quint64, quint64> nameOf;
        quint64 defaultType = 0;
        Message message(QByteArray(reinterpret_cast<const char*>(bytes->data()), qsizetype(bytes->size())));
        while (const auto field = message.next()) {
            switch (field->number) {
            case 1: types << field->bytes; break;
            case 2: samples << field->bytes; break;
            case 3: result.mappings << numbersOf(field->bytes); break;
            case 4: {
                Message location(field->bytes);
                quint64 id = 0;
                QList<quint64> functions;
                while (const auto part = location.next())
                    if (part->number == 1)
                        id = part->value;
                    else if (part->number == 4)
                        functions << numbersOf(part->bytes)[1];
                functionsOf[id] = functions;
                break;
            }
            case 5: {
                const auto function = numbersOf(field->bytes);
                nameOf[function[1]] = function[2];
                break;
            }
            case 6: result.texts << QString::fromUtf8(field->bytes); break;
            case 14: defaultType = field->value; break;
            default: break;
            }
        }
        for (const QByteArray& type : types) {
            const auto numbers = numbersOf(type);
            result.types << result.texts[qsizetype(numbers[1])] + '/' + result.texts[qsizetype(numbers[2])];
        }
        result.defaultType = result.texts[qsizetype(defaultType)];
        result.sums.resize(result.types.size());
        for (const QByteArray& sample : samples) {
            Message parts(sample);
            QStringList frames;
            QList<quint64> values;
            QString thread = "[unknown]";
            while (const auto part = parts.next()) {
                if (part->number == 1) {
                    for (const quint64 location : Message::packed(part->bytes)) {
                        if (functionsOf[location].isEmpty())
                            frames.prepend("[unnamed]");
                        for (const quint64 function : functionsOf[location])
                            frames.prepend(shownName(result.texts[qsizetype(nameOf[function])]));
                    }
                } else if (part->number == 2) {
                    values = Message::packed(part->bytes);
                } else if (part->number == 3) {
                    const auto label = numbersOf(part->bytes);
                    const QString key = result.texts[qsizetype(label[1])];
                    result.labels[key] << result.texts[qsizetype(label[2])];
                    if (key == "thread")
                        thread = result.texts[qsizetype(label[2])];
                }
            }
            if (values.size() != result.types.size())
                qFatal("a sample has a wrong number of values");
            for (qsizetype i = 0; i < values.size(); ++i)
                result.sums[i] += qint64(values[i]);
            frames.prepend(thread);
            if (values[wanted] != 0)
                result.stacks[frames.join(';')] += qint64(values[wanted]);
        }
        return result;
    }
};

/// Sums up folded stacks like flamegraph.pl. Modules in brackets stand for functions without a name.
QMap<QString, qint64> sumsOf(const QByteArray& folded)
{
    QMap<QString, qint64> sums;
    for (const QByteArray& line : folded.split('\n')) {
        const qsizetype space = line.lastIndexOf(' ');
        if (space < 0)
            continue;
        QStringList frames = QString::fromUtf8(line.left(space)).split(';');
        for (QString& frame : frames)
            frame = &frame == &frames.front() ? frame : shownName(frame);
        sums[frames.join(';')] += line.mid(space + 1).toLongLong();
    }
    return sums;
}

} // namespace

/// Property: exports of samples have the sums of heliograph flame.
class ExportSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void foldedStacksAndSpeedscopeEqualFlame_data()
    {
        QTest::addColumn<QStringList>("selection");
        QTest::newRow("all") << QStringList();
        QTest::newRow("thread") << QStringList{"--process", "demo"};
        QTest::newRow("cpu") << QStringList{"--cpu", "0"};
        QTest::newRow("range") << QStringList{"--begin", "+1ms", "--end", "+2s"};
    }

    void foldedStacksAndSpeedscopeEqualFlame()
    {
        QFETCH(QStringList, selection);
        const QTemporaryDir folder;
        for (const char* name : {"fp.data", "events.data", "compressed.data"})
            for (const char* format : {"folded", "speedscope"}) {
                const QString out = folder.filePath(QString(name) + '.' + format);
                const auto written = heliograph(QStringList{"export", fixture(name), "--to", format, "-o", out} + selection);
                const auto printed = heliograph(QStringList{"flame", fixture(name), "--format", format} + selection);
                if (written.status != 0) {
                    QVERIFY2(written.err.contains("No samples are selected"), written.err.constData());
                    continue;
                }
                QVERIFY(printed.out.size() > 20);
                QCOMPARE(contentOf(out), printed.out);
            }
    }

    void pprofHasTheSumsOfFlame()
    {
        const QTemporaryDir folder;
        for (const char* name : {"fp.data", "events.data", "compressed.data", "dwarf.data"}) {
            const QString out = folder.filePath(QString(name) + ".pb.gz");
            QCOMPARE(heliograph({"export", fixture(name), "--to", "pprof", "-o", out}).status, 0);
            const Pprof profile = Pprof::read(out, 1);
            QVERIFY(profile.types.size() >= 2);
            QCOMPARE(profile.texts.front(), QString());
            for (qsizetype i = 0; i < profile.types.size(); i += 2) {
                const QString kind = profile.types[i].section('/', 0, 0);
                QCOMPARE(profile.types[i + 1], kind + " samples/count");
                for (const char* by : {"period", "samples"}) {
                    const int type = int(i) + (by[0] == 's' ? 1 : 0);
                    const auto flame =
                        heliograph({"flame", fixture(name), "--format", "folded", "--event", kind, "--by", by, "--base", "command"});
                    QCOMPARE(flame.status, 0);
                    QCOMPARE(Pprof::read(out, type).stacks, sumsOf(flame.out));
                }
            }
            QVERIFY(profile.labels.contains("tid") && profile.labels.contains("pid") && profile.labels.contains("thread"));
            for (const QString& key : profile.labels.keys()) // Readers leave out labels without a text, e.g. a number 0.
                QVERIFY2(!profile.labels[key].contains(QString()), qPrintable(key));
            if (QString(name) == "events.data")
                QVERIFY(profile.labels["cpu"].contains("0"));
            QVERIFY(!profile.mappings.isEmpty());
        }
    }

    void pprofIsReadBack()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("fp.pb.gz");
        QCOMPARE(heliograph({"export", fixture("fp.data"), "--to", "pprof", "-o", out}).status, 0);
        const auto original = heliograph({"flame", fixture("fp.data"), "--format", "folded", "--base", "none"});
        const auto read = heliograph({"flame", out, "--format", "folded", "--base", "none", "--event", "cpu-clock:ppp samples"});
        QCOMPARE(read.status, 0);
        QCOMPARE(read.out, original.out);
    }

    void speedscopeIsReadBack()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("fp.speedscope.json");
        QCOMPARE(heliograph({"export", fixture("fp.data"), "--to", "speedscope", "-o", out}).status, 0);
        QVERIFY(QJsonDocument::fromJson(contentOf(out)).object().contains("profiles"));
        const auto sumOf = [](const QByteArray& folded) {
            qint64 sum = 0;
            for (const QByteArray& line : folded.split('\n'))
                sum += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
            return sum;
        };
        const auto original = heliograph({"flame", fixture("fp.data"), "--format", "folded", "--by", "period", "--base", "none"});
        QCOMPARE(sumOf(heliograph({"flame", out, "--format", "folded", "--base", "none", "--by", "period"}).out), sumOf(original.out));
    }

    void recordingsWithoutSamplesAreRefused()
    {
        const QTemporaryDir folder;
        for (const char* format : {"folded", "speedscope", "pprof"}) {
            const auto written =
                heliograph({"export", fixture("fp.data"), "--to", format, "-o", folder.filePath("none"), "--process", "nobody"});
            QVERIFY(written.status != 0);
            QVERIFY(!QFile::exists(folder.filePath("none")));
        }
    }
};

HELIO_TEST(ExportSamplesTest)
#include "tst_export_samples.moc"
