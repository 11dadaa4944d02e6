#include "widgets/sql/sql_bars.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QWidget>

namespace helio {

QWidget* makeSqlBar(int height, QHBoxLayout*& layout)
{
    auto* bar = new QWidget;
    bar->setFixedHeight(height);
    layout = new QHBoxLayout(bar);
    layout->setContentsMargins(12, 0, 12, 0);
    layout->setSpacing(8);
    return bar;
}

void makeShrinking(QLabel& label)
{
    label.setTextFormat(Qt::PlainText);
    label.setMinimumWidth(0);
    label.setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

} // namespace helio
