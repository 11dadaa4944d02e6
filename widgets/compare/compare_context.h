#pragma once

#include "core/compare/subject.h"
#include "widgets/compare/axis_link.h"
#include "widgets/compare/side_style.h"
#include "widgets/workspace/view_context.h"

#include <array>

namespace helio {

/// State that the views of a comparison share: both sides, their alignment in time, and the subject that is compared. Ownership: the
/// comparison window owns it; the sides outlive it.
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

    /// The program, thread or call that is compared on a side. Not chosen yet if it has neither program nor thread.
    const Subject& subject(Side side) const { return m_subjects[std::size_t(side)]; }
    bool hasSubject() const { return comparesThreads() || !m_subjects[0].program.empty(); }
    bool comparesThreads() const { return m_subjects[0].thread.isValid(); }
    QString program() const { return QString::fromStdString(m_subjects[0].program); }

    /// Compares the runs of this program on both sides. If it is empty, the views choose a program.
    void setProgram(const QString& program) { setSubjects({program.toStdString(), {}}, {program.toStdString(), {}}); }
    /// Compares a thread of A with a thread of B. A row of calls stands for the selected call, if one is selected. Requires: both tracks
    /// are valid.
    void setThreads(TrackRef ofA, TrackRef ofB) { setSubjects({{}, ofA}, {{}, ofB}); }

    /// True once nothing is being read any more on either side: data that is missing now will not come.
    bool isSettled() const { return m_isSettled; }
    void setSettled(bool isSettled)
    {
        if (isSettled == m_isSettled)
            return;
        m_isSettled = isSettled;
        emit questionChanged();
    }

    /// The range of a side that is compared: its selection, or else everything that was recorded.
    TimeRange comparedRange(Side of) { return side(of).time().selection().isEmpty() ? side(of).time().own() : side(of).time().selection(); }

signals:
    void subjectChanged();
    void timelineChanged(); ///< The timeline of a side changed.
    void questionChanged(); ///< The selection or the subject changed, or reading ended.

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
    bool m_isSettled = false;
};

} // namespace helio
