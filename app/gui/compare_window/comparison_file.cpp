#include "app/gui/compare_window/comparison_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QMetaEnum>

#include <algorithm>

namespace helio {

namespace {

const QMetaEnum& ways()
{
    static const QMetaEnum all = QMetaEnum::fromType<AlignmentControl::By>();
    return all;
}

bool isOfThread(const SessionState& place) { return place.rowRole == TrackRole::Thread || place.isRowOfCalls; }

TimeRange rangeOfInterest(const SessionState& place) { return place.selection.isEmpty() ? place.visible : place.selection; }

} // namespace

Comparison comparisonOf(const QStringList& a, const QStringList& b)
{
    Comparison comparison;
    comparison.a.traces = a;
    comparison.b.traces = b;
    return comparison;
}

std::optional<Comparison> comparePositions(const SessionState& a, const SessionState& b)
{
    Comparison comparison;
    comparison.a = a;
    comparison.b = b;
    const bool haveThreads = isOfThread(a) && isOfThread(b);
    const bool haveRanges = !a.selection.isEmpty() && !b.selection.isEmpty() && a.selection != b.selection;
    const bool areCalls = haveRanges && a.isRowOfCalls && b.isRowOfCalls;
    comparison.comparesThreads = haveThreads && (areCalls || a.rowId != b.rowId || a.rowTrace != b.rowTrace);
    if (!haveRanges && !comparison.comparesThreads && a.traces == b.traces)
        return {};
    comparison.isLinked = !haveRanges;
    comparison.alignBy = haveRanges ? AlignmentControl::By::Hand
        // Align compared threads by their beginnings. Aligned by the beginning of the recording, they may not overlap: one thread may end
        // before the other begins.
        : comparison.comparesThreads ? AlignmentControl::By::Subject
                                     : AlignmentControl::By::Start;
    comparison.zero = {rangeOfInterest(a).begin, rangeOfInterest(b).begin};
    const Duration longest = std::max(rangeOfInterest(a).duration(), rangeOfInterest(b).duration());
    for (SessionState* place : {&comparison.a, &comparison.b}) {
        const Timestamp begin = rangeOfInterest(*place).begin;
        place->visible = {begin - longest / 20, begin + longest + longest / 20};
        place->cursor = begin;
    }
    return comparison;
}

Status saveComparison(const Comparison& comparison, const QString& path)
{
    Comparison kept = comparison;
    for (SessionState* side : {&kept.a, &kept.b})
        makeRelative(QFileInfo(path).absoluteDir(), *side);
    const auto text = [](Timestamp t) { return QString::number(nanoseconds(t)); };
    return writeSessionFile({{"compare",
                              QJsonObject{{"a", sessionJson(kept.a)},
                                          {"b", sessionJson(kept.b)},
                                          {"program", kept.program},
                                          {"threads", kept.comparesThreads},
                                          {"alignBy", ways().valueToKey(int(kept.alignBy))},
                                          {"function", kept.function},
                                          {"zero", QJsonArray{text(kept.zero.a), text(kept.zero.b)}},
                                          {"linked", kept.isLinked},
                                          {"beside", kept.isBeside},
                                          {"layout", kept.layout}}}},
                            path);
}

Result<Comparison> loadComparison(const QString& path)
{
    const auto file = readSessionFile(path);
    if (!file)
        return file.error();
    const QJsonObject json = (*file)["compare"].toObject();
    if (json.isEmpty())
        return Error{Error::Kind::NotFound, path.toStdString() + ": not a comparison"};
    Comparison comparison;
    comparison.a = sessionFrom(json["a"].toObject());
    comparison.b = sessionFrom(json["b"].toObject());
    for (SessionState* side : {&comparison.a, &comparison.b})
        makeAbsolute(QFileInfo(path).absoluteDir(), *side);
    if (comparison.a.traces.isEmpty() || comparison.b.traces.isEmpty())
        return Error{Error::Kind::Corrupt, path.toStdString() + ": a side of the comparison lists no traces"};
    comparison.program = json["program"].toString();
    comparison.comparesThreads = json["threads"].toBool();
    const int by = ways().keyToValue(json["alignBy"].toString().toUtf8().constData());
    comparison.alignBy = by < 0 ? AlignmentControl::By::Subject : AlignmentControl::By(by);
    comparison.function = json["function"].toString();
    const QJsonArray zero = json["zero"].toArray();
    comparison.zero = {sessionTime(zero.at(0)), sessionTime(zero.at(1))};
    comparison.isLinked = json["linked"].toBool(true);
    comparison.isBeside = json["beside"].toBool();
    comparison.layout = json["layout"].toObject();
    return comparison;
}

} // namespace helio
