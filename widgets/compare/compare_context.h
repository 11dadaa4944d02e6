#pragma once

#include "core/compare/alignment.h"
#include "widgets/compare/axis_link.h"
#include "widgets/compare/side_style.h"
#include "widgets/workspace/view_context.h"

#include <array>
#include <memory>

namespace helio {

/// State shared by the views of a comparison: both sides, their alignment in time, and the compared subject.
/// Ownership: owned by the comparison window; the sides outlive it.
class CompareContext : public QObject {
    Q_OBJECT

public:
    CompareContext(ViewContext& a, ViewContext& b, QObject* parent = nullptr)
        : QObject(parent)
        , m_a(a)
        , m_b(b)
        , m_link(a.time(), b.time())
    {
        for (ViewContext* side : {&a, &b}) {
            connect(side, &ViewContext::timelineChanged, this, &CompareContext::timelineChanged);
            connect(&side->time(), &TimeWindow::selectionChanged, this, &CompareContext::questionChanged);
        }
    }

    ViewContext& a() { return m_a; }
    ViewContext& b() { return m_b; }
    AxisLink& link() { return m_link; }

    ViewContext& side(Side side) { return side == Side::A ? m_a : m_b; }

    /// Program, thread or call that is compared on a side. Without a program and a thread, no subject is chosen yet.
    const Subject& subject(Side side) const { return m_subjects[std::size_t(side)]; }
    bool hasSubject() const { return comparesThreads() || !m_subjects[0].program.empty(); }
    bool comparesThreads() const { return m_subjects[0].thread.isValid(); }
    QString program() const { return QString::fromStdString(m_subjects[0].program); }

    /// Compares the runs of a program on both sides. If `program` is empty, the views choose a program.
    void setProgram(const QString& program) { setSubjects({program.toStdString(), {}}, {program.toStdString(), {}}); }
    /// Compares a thread of A with a thread of B. A track may be a row of calls: if the range of a call on this row is selected, this call
    /// is compared. Requires: both tracks are valid.
    void setThreads(TrackRef ofA, TrackRef ofB) { setSubjects({{}, ofA}, {{}, ofB}); }

    /// True if no trace is being read on either side, so that missing data will not arrive any more.
    bool isSettled() const { return m_isSettled; }
    void setSettled(bool isSettled)
    {
        if (isSettled == m_isSettled)
            return;
        m_isSettled = isSettled;
        emit settledChanged();
        emit questionChanged();
    }

    /// Cache of the rows of sides A and B that correspond to each other. Any thread may use it.
    const std::shared_ptr<MatchingRowsCache>& matchingRows() const { return m_matchingRows; }

    /// Returns the compared range of a side: its selection, otherwise its whole recording.
    TimeRange comparedRange(Side of) { return side(of).time().selection().isEmpty() ? side(of).time().own() : side(of).time().selection(); }

signals:
    void subjectChanged();
    void settledChanged(); ///< Emitted when isSettled() changed.
    void timelineChanged(); ///< Emitted when the timeline of a side changed.
    void questionChanged(); ///< Emitted when the selection of a side, the compared program, thread or call, or isSettled() changed.

private:
    void setSubjects(Subject ofA, Subject ofB)
    {
        if (ofA == m_subjects[0] && ofB == m_subjects[1])
            return;
        m_subjects = {std::move(ofA), std::move(ofB)};
        emit subjectChanged();
        emit questionChanged();
    }

    ViewContext& m_a;
    ViewContext& m_b;
    AxisLink m_link;
    std::array<Subject, 2> m_subjects;
    const std::shared_ptr<MatchingRowsCache> m_matchingRows = std::make_shared<MatchingRowsCache>();
    bool m_isSettled = false;
};

} // namespace helio
