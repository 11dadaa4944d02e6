#include "widgets/flame/frame/flame_trail.h"

#include "widgets/controls/pill.h"

#include <QHBoxLayout>

namespace helio {

FlameTrail::FlameTrail(FlameView& graph, QWidget* parent)
    : QWidget(parent)
    , m_crumbs(new CrumbTrail(graph))
    , m_line(new QHBoxLayout(this))
    , m_chips(new QHBoxLayout)
{
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(6);
    m_chips->setSpacing(6);
    m_line->addWidget(m_crumbs, 1);
    m_line->addLayout(m_chips);
}

void FlameTrail::setChips(std::vector<Chip> chips)
{
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (Chip& it : chips) {
        auto* chip = new Pill(it.text);
        chip->setRemovable(true);
        chip->setShrinking();
        chip->setToolTip(tr("Take away: %1").arg(it.text));
        connect(chip, &QAbstractButton::clicked, this, std::move(it.remove), Qt::QueuedConnection);
        m_chips->addWidget(chip);
    }
}

bool FlameTrail::hasChips() const { return m_chips->count() > 0; }

void FlameTrail::add(QWidget* part) { m_line->addWidget(part); }

bool FlameTrail::has(const QWidget* part) const { return m_line->indexOf(part) >= 0; }

void FlameTrail::refresh()
{
    m_crumbs->refresh();
    if (m_crumbs->isEmpty())
        m_crumbs->setText(m_hint);
    bool isThere = !m_crumbs->isEmpty() || hasChips();
    for (int i = 0; i < m_line->count(); ++i)
        if (const QWidget* part = m_line->itemAt(i)->widget(); part && part != m_crumbs)
            isThere |= !part->isHidden();
    setVisible(isThere);
}

} // namespace helio
