#include "widgets/controls/work_line.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace helio {

namespace {

constexpr int ShownAfter = 300; ///< Delay in ms before work is shown.
constexpr int RefreshedEvery = 100; ///< Interval in ms between updates of the shown progress.

} // namespace

WorkLine::WorkLine(const SharedQuery& work, QWidget* parent)
    : QWidget(parent)
    , m_work(work)
    , m_label(makeLabel({}, 11, 400, "text.secondary"))
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(m_label);
    connect(&work, &SharedQuery::workChanged, this, [this] { m_work.work().isEmpty() ? refresh() : m_timer.start(ShownAfter); });
    connect(&m_timer, &QTimer::timeout, this, &WorkLine::refresh);
    hide();
}

void WorkLine::setStop(std::function<void()> stop)
{
    m_stop = new QToolButton;
    m_stop->setFixedSize(20, 20);
    m_stop->setIcon(themedIcon("close"));
    m_stop->setToolTip(tr("Stop; keep what has been read"));
    m_stop->setAccessibleName(tr("Stop"));
    connect(m_stop, &QToolButton::clicked, this, std::move(stop));
    layout()->addWidget(m_stop);
}

void WorkLine::refresh()
{
    const QString work = m_work.work();
    m_label->setText(progressText(work, m_work.workShare()));
    setVisible(!work.isEmpty());
    work.isEmpty() ? m_timer.stop() : m_timer.start(RefreshedEvery);
    emit changed();
}

QString progressText(const QString& work, double share)
{
    return work.isEmpty() || share < 0 ? work : WorkLine::tr("%1, %2 %").arg(work).arg(int(share * 100));
}

} // namespace helio
