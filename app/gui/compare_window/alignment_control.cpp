#include "app/gui/compare_window/alignment_control.h"

#include "core/compare/alignment.h"
#include "core/query/rows/facts.h"

#include <QHash>

#include <utility>

namespace helio {

namespace {

/// Returns a pair of bookmarks with the same name on both sides, else the first bookmark of each side; two null pointers if a side has no
/// bookmark.
std::pair<const Bookmark*, const Bookmark*> matchingBookmarks(const std::vector<Bookmark>& a, const std::vector<Bookmark>& b)
{
    if (a.empty() || b.empty())
        return {};
    QHash<QString, const Bookmark*> named;
    for (auto other = b.rbegin(); other != b.rend(); ++other) // Iterate in reverse order, so that the first bookmark of a name is found.
        named[other->name] = &*other;
    for (const Bookmark& mine : a)
        if (const Bookmark* other = named.value(mine.name); other && !mine.name.isEmpty())
            return {&mine, other};
    return {&a.front(), &b.front()};
}

} // namespace

AlignmentControl::AlignmentControl(CompareContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
    for (const Side side : Sides)
        connect(&context.side(side), &ViewContext::timelineChanged, this, [this] {
            if (m_by == By::Function && !m_ofFunction)
                findFunction();
            align();
        });
    connect(&context, &CompareContext::subjectChanged, this, [this] {
        m_ofFunction.reset();
        if (m_by == By::Function)
            findFunction();
    });
}

void AlignmentControl::alignBy(By by)
{
    m_by = by;
    align();
    emit changed();
}

void AlignmentControl::alignByFunction(const QString& function)
{
    m_by = By::Function;
    m_function = function;
    m_ofFunction.reset();
    findFunction();
    emit changed();
}

void AlignmentControl::alignByBookmarks()
{
    const auto& [a, b] = matchingBookmarks(m_context.a().bookmarks().all(), m_context.b().bookmarks().all());
    if (!a)
        return emit remark(tr("Add a bookmark on each side first: point at a side and press M"));
    m_by = By::Bookmarks;
    m_bookmark = a->name == b->name ? a->name : QString();
    m_context.link().setAlignment({a->range.begin, b->range.begin});
    emit changed();
}

void AlignmentControl::alignByHand(const Alignment& alignment)
{
    m_by = By::Hand;
    m_context.link().setAlignment(alignment);
    emit changed();
}

void AlignmentControl::setOfSubject(std::optional<Alignment> alignment)
{
    m_ofSubject = alignment;
    align();
    emit changed();
}

void AlignmentControl::align()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (!a || !b || rangeOf(*a).isEmpty() || rangeOf(*b).isEmpty())
        return;
    if (isBySubject())
        m_context.link().setAlignment(*m_ofSubject);
    else if (m_by == By::Function && m_ofFunction)
        m_context.link().setAlignment(*m_ofFunction);
    else if (m_by == By::Subject || m_by == By::Start)
        m_context.link().setAlignment(alignStarts(*a, *b));
}

void AlignmentControl::findFunction()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    m_job.cancel();
    if (!a || !b || !m_context.hasSubject())
        return;
    m_job.post([this, a, b, ofA = m_context.subject(Side::A), ofB = m_context.subject(Side::B),
                name = m_function](std::stop_token stop) -> LatestTask::Delivery {
        const auto first = [&](const Timeline& timeline, const Subject& subject) {
            return findFirstSample(timeline, name.toStdString(),
                                   samplesOf(timeline, subject, runsOf(timeline, subject, rangeOf(timeline), stop)), stop);
        };
        const auto inA = first(*a, ofA);
        const auto inB = first(*b, ofB);
        return [this, name, inA, inB, isOfAll = isComplete(*a) && isComplete(*b)] {
            if (inA && inB) {
                m_ofFunction = Alignment{*inA, *inB};
                align();
                emit changed();
            } else if (isOfAll) {
                emit remark(tr("No sample of the compared threads is in %1 in %2").arg(name, inA ? tr("B") : tr("A")));
            }
        };
    });
}

QString AlignmentControl::zeroText() const
{
    switch (m_by) {
    case By::Hand: return tr("the common zero");
    case By::Bookmarks: return m_bookmark.isEmpty() ? tr("the first bookmark") : tr("the bookmark %1").arg(m_bookmark);
    case By::Function:
        if (m_ofFunction)
            return tr("the first sample in %1").arg(m_function);
        break;
    case By::Subject:
        if (m_ofSubject)
            return m_context.comparesThreads() ? tr("the start of the threads") : tr("the start of %1").arg(m_context.program());
        break;
    case By::Start: break;
    }
    return tr("the first event");
}

} // namespace helio
