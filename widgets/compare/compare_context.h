#pragma once

#include "widgets/compare/axis_link.h"
#include "widgets/views/view_context.h"

namespace helio {

/// What the views of a comparison work on: both sides, how their times meet, and which program is compared. Owned by the window.
class CompareContext : public QObject {
    Q_OBJECT

public:
    explicit CompareContext(QObject* parent = nullptr)
        : QObject(parent)
        , m_link(m_a.time(), m_b.time())
    {
    }

    ViewContext& a() { return m_a; }
    ViewContext& b() { return m_b; }
    AxisLink& link() { return m_link; }

    /// The name of the program whose runs are compared. Empty: not chosen yet.
    const QString& program() const { return m_program; }
    void setProgram(const QString& program)
    {
        if (program != m_program) {
            m_program = program;
            emit programChanged();
        }
    }

    /// The stretch of each side that is compared: the selected range, else everything that was recorded.
    TimeRange stretchOfA() { return m_a.time().selection().isEmpty() ? m_a.time().own() : m_a.time().selection(); }
    TimeRange stretchOfB() { return m_b.time().selection().isEmpty() ? m_b.time().own() : m_b.time().selection(); }

signals:
    void programChanged();

private:
    ViewContext m_a;
    ViewContext m_b;
    AxisLink m_link;
    QString m_program;
};

} // namespace helio
