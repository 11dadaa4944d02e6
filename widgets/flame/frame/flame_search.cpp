#include "widgets/flame/frame/flame_search.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace helio {

FunctionMatcher makeFunctionMatcher(const QString& text)
{
    return [text](const SampledFunction& function) {
        return function.code != CodeKind::Thread && frameLabel(function).contains(text, Qt::CaseInsensitive);
    };
}

FlameSearch::FlameSearch(FlameView& graph, Words words, QWidget* parent)
    : QLineEdit(parent)
    , m_graph(graph)
    , m_words(std::move(words))
    , m_found(makeLabel({}, 11, 400, "text.hint"))
{
    setPlaceholderText(tr("Search functions"));
    setFont(fonts().detail());
    connect(&Themes::instance(), &Themes::changed, this, [this] { setFont(fonts().detail()); });
    connect(this, &QLineEdit::textChanged, this, &FlameSearch::refresh);
}

QString FlameSearch::found() const { return m_found->text(); }

void FlameSearch::placeInField()
{
    addAction(themedIcon("search"), QLineEdit::LeadingPosition);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 8, 0);
    line->addStretch(1);
    line->addWidget(m_found);
}

void FlameSearch::refresh()
{
    m_found->clear();
    if (text().isEmpty()) {
        m_graph.setMatcher({});
        return;
    }
    const auto matches = makeFunctionMatcher(text());
    const SampleSum sum = m_graph.setMatcher(matches);
    if (!m_graph.content().tree)
        return;
    m_found->setText(m_graph.matchCount() == 0 ? tr("none")
                                               : tr("%1 in %2 frames").arg(m_words(sum, matches), countText(m_graph.matchCount())));
}

bool FlameSearch::event(QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QLineEdit::event(event);
    event->accept(); // Accepted, so that the window does not handle the key as a shortcut.
    if (event->type() == QEvent::KeyPress) {
        clear();
        m_graph.setFocus(Qt::OtherFocusReason);
        emit left();
    }
    return true;
}

} // namespace helio
