// Input: texts of atrace markers, e.g. "B|77|load". Property: parseMarker() parses each kind of marker, and rejects all other texts.

#include "core/event_model/track_event_decoder.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

QString text(std::string_view it) { return QString::fromUtf8(it.data(), qsizetype(it.size())); }

/// Returns a description of the parsed marker, e.g. "begin thread pid=77 name='load'"; empty if parseMarker() rejects it.
QString parsed(const char* marker)
{
    TrackEvent event;
    if (!parseMarker(marker, event))
        return {};
    const QString kind = event.kind == TrackEvent::Kind::SliceBegin ? "begin"
        : event.kind == TrackEvent::Kind::SliceEnd                  ? "end"
        : event.kind == TrackEvent::Kind::Instant                   ? "instant"
        : event.kind == TrackEvent::Kind::Counter                   ? "counter"
                                                                    : "?";
    QString all = kind + ' ' + text(wordOf(event.scope)) + QString(" pid=%1").arg(event.pid);
    if (event.scope == TrackScope::Track)
        all += QString(" track='%1' nest=%2").arg(text(event.trackName)).arg(event.nest);
    if (event.kind != TrackEvent::Kind::SliceEnd || !event.name.empty())
        all += " name='" + text(event.name) + '\'';
    if (event.kind == TrackEvent::Kind::Counter)
        all += event.isReal ? QString(" %1").arg(event.real) : QString(" %1").arg(event.integer);
    return all;
}

} // namespace

class TrackEventDecoderTest : public QObject {
    Q_OBJECT

private slots:
    void markersAreParsed_data()
    {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* marker, const char* expected) { QTest::newRow(marker) << parsed(marker) << QString(expected); };
        row("B|77|load a|b x=1\n", "begin thread pid=77 name='load a|b x=1'");
        row("tracing_mark_write: B|77|load", "begin thread pid=77 name='load'");
        row("E", "end thread pid=-1");
        row("E|77", "end thread pid=77");
        row("S|7|op|12", "begin track pid=7 track='op' nest=12 name='op'");
        row("F|7|op|12\n", "end track pid=7 track='op' nest=12 name='op'");
        row("C|7|mem|-4035928", "counter process pid=7 name='mem' -4035928");
        row("C|7|mem|1.5", "counter process pid=7 name='mem' 1.5");
        row("C|7|mem|3|gfx", "counter process pid=7 name='mem' 3");
        row("I|7|here", "instant thread pid=7 name='here'");
        row("G|7|track|op|12", "begin track pid=7 track='track' nest=12 name='op'");
        row("H|7|track|12", "end track pid=7 track='track' nest=12");
        row("H|7|track|op|12", "end track pid=7 track='track' nest=12");
        row("N|7|track|here", "instant track pid=7 track='track' nest=0 name='here'");
    }
    void markersAreParsed()
    {
        QFETCH(QString, found);
        QFETCH(QString, expected);
        QCOMPARE(found, expected);
    }

    void otherTextsAreNone()
    {
        for (const char* other :
             {"", "\n", "B", "B|", "B|x|name", "B|-1|name", "Begin|7|x", "E7", "S|7|op", "S|7|op|x", "C|7|mem", "C|7|mem|x", "C|7|a|b|c",
              "X|7|x", "hello", "trace_event_clock_sync: parent_ts=1", "H|7|track", "B|99999999999|x", "|"})
            QVERIFY2(parsed(other).isEmpty(), other);
    }
};

HELIO_TEST(TrackEventDecoderTest)
#include "tst_track_event_decoder.moc"
