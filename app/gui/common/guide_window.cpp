#include "app/gui/common/guide_window.h"

#include "app/gui/common/markdown_style.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/table_style.h"
#include "widgets/theme/themes.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPaintEvent>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTextDocument>
#include <QTextLayout>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int PageMargin = 18;

/// Returns the file of an image for the current theme.
QString themedImage(const QString& path)
{
    const QString light = QStringLiteral("-light.png");
    const QString any = path.endsWith(light) ? path.chopped(light.size()) + QStringLiteral(".png") : path;
    const QString themed = theme().isDark() ? any : any.chopped(4) + light;
    return any.endsWith(QStringLiteral(".png")) && QFile::exists(themed) ? themed : path;
}

const QString FirstPage = QStringLiteral("guide.md");
constexpr int LeastSearched = 2; ///< Minimum length of a search text in characters.
constexpr std::size_t MostHits = 300;
constexpr int Around = 40; ///< Number of characters of context before and after a hit.
constexpr int ListWidth = 260;

/// Returns the text of a page without Markdown syntax, as the browser shows it.
QString textOfMarkdown(const QString& markdown)
{
    QTextDocument document;
    document.setMarkdown(markdown);
    return document.toPlainText();
}

/// Returns the title of a page: the text of the first line that begins with `# `, else the file's name.
QString readTitle(const QString& path)
{
    static const QRegularExpression heading(QStringLiteral("^# .*$"), QRegularExpression::MultilineOption);
    const auto match = heading.match(readGuidePage(path));
    return match.hasMatch() ? textOfMarkdown(match.captured()).trimmed() : QFileInfo(path).baseName();
}

/// Returns the file names of the pages in the order of the list: guide.md, the pages in the order of its links, other pages by name.
QStringList listPages(const QString& folder)
{
    QStringList rest = QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
    QStringList pages;
    const auto append = [&](const QString& page) {
        if (rest.removeOne(page))
            pages << page;
    };
    append(FirstPage);
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)"));
    for (const auto& match : link.globalMatch(readGuidePage(folder + '/' + FirstPage)))
        append(match.captured(1));
    return pages + rest;
}

enum ItemRole { ExcerptRole = Qt::UserRole, MatchRole };

constexpr int Padding = 12;
constexpr int PageHeight = 28;
constexpr int MatchHeight = 64; ///< Height in pixels of an item for a search hit in the list: a title and two lines of text.

/// Draws an item of the list: a page of the guide, or a search hit (page title and excerpt, with the searched text in bold).
class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        return {ListWidth / 2, index.data(ExcerptRole).isValid() ? MatchHeight : PageHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        paintLineGround(*painter, option);
        const QRect room = option.rect.adjusted(Padding, 0, -Padding, 0);
        const QString excerpt = index.data(ExcerptRole).toString();
        const QFont font = excerpt.isEmpty() ? fonts().body() : fonts().at(12, 600);
        painter->setFont(font);
        painter->setPen(theme().color("text.primary"));
        const QRect title = excerpt.isEmpty() ? room : QRect(room.left(), room.top() + 7, room.width(), 18);
        painter->drawText(title, Qt::AlignVCenter, QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, title.width()));
        if (excerpt.isEmpty())
            return;
        paintExcerpt(*painter, QRect(room.left(), title.bottom() + 1, room.width(), 32), excerpt, index.data(MatchRole).toString());
        painter->fillRect(QRect(room.left(), option.rect.bottom(), room.width(), 1), theme().color("line.faint"));
    }

private:
    static void paintExcerpt(QPainter& painter, const QRect& rect, const QString& excerpt, const QString& match)
    {
        QTextLayout layout(excerpt, fonts().detail());
        QTextCharFormat bold;
        bold.setFontWeight(QFont::DemiBold);
        bold.setForeground(theme().color("text.primary"));
        QList<QTextLayout::FormatRange> formats;
        for (qsizetype at = excerpt.indexOf(match, 0, Qt::CaseInsensitive); at >= 0 && !match.isEmpty();
             at = excerpt.indexOf(match, at + match.size(), Qt::CaseInsensitive))
            formats.push_back({int(at), int(match.size()), bold});
        layout.setFormats(formats);
        layout.beginLayout();
        for (qreal y = 0; y + 15 <= rect.height(); y += 16) {
            QTextLine line = layout.createLine();
            if (!line.isValid())
                break;
            line.setLineWidth(rect.width());
            line.setPosition({0, y});
        }
        layout.endLayout();
        painter.setPen(theme().color("text.secondary"));
        layout.draw(&painter, rect.topLeft());
    }
};

} // namespace

QString readGuidePage(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

GuideBrowser::GuideBrowser(const QString& folder)
    : m_folder(folder)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    // Hide the scroll bar: lines are wrapped, so the user never needs it, but it would appear because rounding makes tables a pixel too
    // wide.
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(PageMargin);
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& page) {
        styleMarkdown(*document());
        if (page.hasFragment())
            scrollToAnchor(page.fragment()); // Scroll again, because QTextBrowser looks for the anchor before styleMarkdown() creates it.
    });
}

QVariant GuideBrowser::loadResource(int type, const QUrl& name)
{
    // Resolve against the folder, because source() is still the previous page while a page is loaded.
    const QString path = QUrl::fromLocalFile(m_folder + '/').resolved(name).toLocalFile();
    if (type == QTextDocument::MarkdownResource)
        return readGuidePage(path);
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    const QPixmap image(themedImage(path));
    const int room = viewport()->width() - 2 * PageMargin - 12;
    return image.width() > room && room > 0 ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
}

QUrl GuideBrowser::resolvedLink(const QUrl& link) const
{
    return (source().isEmpty() ? QUrl::fromLocalFile(m_folder + '/') : source()).resolved(link);
}

void GuideBrowser::restyle()
{
    const int scrolled = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(scrolled);
}

void GuideBrowser::paintEvent(QPaintEvent* event)
{
    {
        QPainter painter(viewport());
        const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
        painter.translate(-scrolled);
        paintCodeBackgrounds(painter, *document(), event->rect().translated(scrolled));
    }
    QTextBrowser::paintEvent(event);
}

GuideWindow::GuideWindow(const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_folder(folder)
    , m_pages(new GuideBrowser(folder))
    , m_list(new QListWidget)
    , m_field(new QLineEdit)
    , m_remark(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_back(new QToolButton)
    , m_forward(new QToolButton)
{
    setWindowTitle(tr("Guide"));
    setAccessibleName(windowTitle());
    resize(1080, 760);
    m_files = listPages(folder);
    for (const QString& file : std::as_const(m_files))
        m_titles << readTitle(folder + '/' + file);
    m_pages->setAccessibleName(tr("Guide page"));
    m_list->setAccessibleName(tr("Pages and search results"));
    m_list->setItemDelegate(new LineDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true); // All items have the same height, because the list shows either pages only or search hits only.
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_field->setPlaceholderText(tr("Search the guide"));
    m_field->setAccessibleName(tr("Search the guide"));
    m_field->setClearButtonEnabled(true);
    for (const auto& [button, icon, name] : {std::tuple(m_back, "back", tr("Back")), std::tuple(m_forward, "forward", tr("Forward"))}) {
        button->setIcon(themedIcon(icon));
        button->setToolTip(name);
        button->setAccessibleName(name);
        button->setEnabled(false);
    }
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    for (QWidget* part : std::initializer_list<QWidget*>{m_back, m_forward, m_field})
        head->addWidget(part);
    m_field->setFixedWidth(ListWidth);
    head->addSpacing(8);
    head->addWidget(m_remark, 1);
    auto* parts = new QSplitter;
    parts->addWidget(m_list);
    parts->addWidget(m_pages);
    parts->setStretchFactor(1, 1);
    parts->setSizes({ListWidth, 800});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(parts, 1);

    connect(m_back, &QToolButton::clicked, m_pages, &QTextBrowser::backward);
    connect(m_forward, &QToolButton::clicked, m_pages, &QTextBrowser::forward);
    connect(m_pages, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_pages, &QTextBrowser::forwardAvailable, m_forward, &QWidget::setEnabled);
    // Use historyChanged instead of sourceChanged: source() still returns the previous page when sourceChanged is emitted.
    connect(m_pages, &QTextBrowser::historyChanged, this, &GuideWindow::markPage);
    connect(m_pages, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QUrl whole = m_pages->resolvedLink(link);
        if (whole.isLocalFile() && m_files.contains(whole.fileName()))
            return m_pages->setSource(whole);
        if (!QDesktopServices::openUrl(whole))
            m_remark->setText(tr("Cannot open %1: no application is associated with it").arg(whole.toDisplayString()));
    });
    connect(m_field, &QLineEdit::textChanged, this, &GuideWindow::search);
    connect(m_field, &QLineEdit::returnPressed, this, [this] { followLine((m_list->currentRow() + 1) % std::max(1, m_list->count())); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { followLine(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { followLine(m_list->currentRow()); });
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    connect(&Themes::instance(), &Themes::changed, m_pages, &GuideBrowser::restyle);
    showList();
    open(FirstPage);
    m_field->setFocus();
}

void GuideWindow::showOver(QWidget& window, const QString& folder)
{
    auto* guide = window.findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (!guide)
        guide = new GuideWindow(folder, &window);
    guide->show();
    guide->raise();
    guide->activateWindow();
}

QString GuideWindow::page() const { return m_pages->source().fileName(); }

QString GuideWindow::selectedText() const { return m_pages->textCursor().selectedText(); }

void GuideWindow::open(const QString& page) { m_pages->setSource(m_pages->resolvedLink(QUrl(page))); }

void GuideWindow::search(const QString& text)
{
    m_hits.clear();
    if (text.size() >= LeastSearched) {
        if (m_texts.isEmpty())
            for (const QString& file : std::as_const(m_files))
                m_texts << textOfMarkdown(readGuidePage(m_folder + '/' + file));
        for (qsizetype page = 0; page < m_files.size(); ++page) {
            const QString& all = m_texts[page];
            int number = 0;
            for (qsizetype at = all.indexOf(text, 0, Qt::CaseInsensitive); at >= 0 && m_hits.size() < MostHits;
                 at = all.indexOf(text, at + text.size(), Qt::CaseInsensitive)) {
                const qsizetype from = std::max<qsizetype>(0, at - Around);
                m_hits.push_back({m_files[page], number++, all.mid(from, at - from + text.size() + Around).simplified()});
            }
        }
    }
    showList();
}

void GuideWindow::showList()
{
    m_list->clear();
    const bool isSearch = m_field->text().size() >= LeastSearched;
    if (!isSearch)
        m_list->addItems(m_titles);
    for (const Hit& hit : m_hits) {
        auto* line = new QListWidgetItem(m_titles[m_files.indexOf(hit.page)], m_list);
        line->setData(ExcerptRole, QStringLiteral("\u2026%1\u2026").arg(hit.text));
        line->setData(MatchRole, m_field->text());
        line->setData(Qt::AccessibleDescriptionRole, line->data(ExcerptRole));
    }
    m_remark->setText(!isSearch                      ? QString()
                          : m_hits.empty()           ? tr("No matches")
                          : m_hits.size() == 1       ? tr("1 match")
                          : m_hits.size() < MostHits ? tr("%1 matches").arg(m_hits.size())
                                                     : tr("First %1 matches").arg(m_hits.size()));
    markPage();
}

/// Selects the current page in the list, unless the list shows hits.
void GuideWindow::markPage()
{
    if (m_field->text().size() < LeastSearched)
        m_list->setCurrentRow(int(m_files.indexOf(page())));
}

void GuideWindow::followLine(int line)
{
    m_list->setCurrentRow(line);
    if (!m_hits.empty() && std::size_t(line) < m_hits.size())
        openHit(std::size_t(line));
    else if (m_field->text().size() < LeastSearched && line >= 0 && line < m_files.size())
        open(m_files[line]);
}

void GuideWindow::openHit(std::size_t hit)
{
    const Hit to = m_hits[hit];
    if (page() != to.page)
        open(to.page);
    m_pages->moveCursor(QTextCursor::Start);
    for (int i = 0; i <= to.number; ++i)
        m_pages->find(m_field->text());
}

} // namespace helio
