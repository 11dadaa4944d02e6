#include "app/window/guide_window.h"

#include "widgets/shell/field_grid.h"
#include "widgets/shell/icons.h"
#include "widgets/theme/themes.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPixmap>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace helio {

namespace {

const QString FirstPage = QStringLiteral("guide.html");
constexpr int LeastSearched = 2; ///< Letters.
constexpr std::size_t MostHits = 300;
constexpr int Around = 40; ///< Letters that are shown on either side of a hit.
constexpr int ListWidth = 260;

QString readPage(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    static const QRegularExpression style(QStringLiteral("<style>.*?</style>"), QRegularExpression::DotMatchesEverythingOption);
    return QString::fromUtf8(file.readAll()).remove(style); // It is for web browsers; the window has its theme's.
}

QString styleSheet()
{
    const auto name = [](const char* role) { return theme().color(role).name(); };
    return QStringLiteral("a { color: %1; text-decoration: none; } code, kbd, pre { font-family: monospace; background: %2; }"
                          " h1, h2, h3 { font-weight: 600; } td, th { padding: 2px 14px 2px 0; }")
        .arg(name("text.link"), name("surface.input"));
}

/// The text of a page as a search goes through it.
QString plainText(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

} // namespace

/// Shows pages in the theme's colours; images are no wider than the window. What is not of the guide opens elsewhere.
class GuidePages : public QTextBrowser {
public:
    GuidePages()
    {
        setOpenLinks(false);
        setFrameShape(QFrame::NoFrame);
        document()->setDocumentMargin(18);
    }

    QVariant loadResource(int type, const QUrl& name) override
    {
        const QString path = source().resolved(name).toLocalFile();
        if (type == QTextDocument::HtmlResource)
            return readPage(path);
        if (type != QTextDocument::ImageResource)
            return QTextBrowser::loadResource(type, name);
        const QPixmap image(path);
        const int room = viewport()->width() - 48;
        return image.width() > room && room > 0 ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
    }
};

GuideWindow::GuideWindow(const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_folder(folder)
    , m_pages(new GuidePages)
    , m_list(new QListWidget)
    , m_field(new QLineEdit)
    , m_remark(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_back(new QToolButton)
    , m_forward(new QToolButton)
{
    setWindowTitle(tr("Guide"));
    setAccessibleName(windowTitle());
    resize(1080, 760);
    readTitles();
    m_pages->setAccessibleName(tr("Page of the guide"));
    m_list->setAccessibleName(tr("Pages and hits"));
    m_list->setWordWrap(true);
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
    connect(m_pages, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QUrl whole = m_pages->source().resolved(link);
        if (whole.isLocalFile() && m_files.contains(whole.fileName()))
            return m_pages->setSource(whole);
        if (!QDesktopServices::openUrl(whole))
            m_remark->setText(tr("No program opens %1").arg(whole.toDisplayString()));
    });
    connect(m_field, &QLineEdit::textChanged, this, &GuideWindow::search);
    connect(m_field, &QLineEdit::returnPressed, this, [this] { followLine((m_list->currentRow() + 1) % std::max(1, m_list->count())); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { followLine(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { followLine(m_list->currentRow()); });
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    const auto restyle = [this] {
        m_pages->document()->setDefaultStyleSheet(styleSheet());
        m_pages->reload();
    };
    connect(&Themes::instance(), &Themes::changed, this, restyle);
    m_pages->document()->setDefaultStyleSheet(styleSheet());
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

void GuideWindow::readTitles()
{
    m_files = QDir(m_folder).entryList({QStringLiteral("*.html")}, QDir::Files, QDir::Name);
    if (m_files.removeOne(FirstPage))
        m_files.prepend(FirstPage);
    static const QRegularExpression title(QStringLiteral("<title>(.*?)</title>"));
    for (const QString& file : m_files) {
        QTextDocument decoded;
        decoded.setHtml(title.match(readPage(m_folder + '/' + file)).captured(1));
        QString words = decoded.toPlainText().remove(QStringLiteral("Heliograph: "));
        if (!words.isEmpty())
            words[0] = words[0].toUpper();
        m_titles << words;
    }
}

QString GuideWindow::page() const { return m_pages->source().fileName(); }

QString GuideWindow::selectedText() const { return m_pages->textCursor().selectedText(); }

void GuideWindow::open(const QString& page) { m_pages->setSource(QUrl::fromLocalFile(m_folder + '/' + page)); }

void GuideWindow::search(const QString& text)
{
    m_hits.clear();
    if (text.size() >= LeastSearched) {
        for (const QString& file : m_files) {
            const QString all = plainText(readPage(m_folder + '/' + file));
            int number = 0;
            for (qsizetype at = all.indexOf(text, 0, Qt::CaseInsensitive); at >= 0 && m_hits.size() < MostHits;
                 at = all.indexOf(text, at + text.size(), Qt::CaseInsensitive)) {
                const qsizetype from = std::max<qsizetype>(0, at - Around);
                m_hits.push_back({file, number++, all.mid(from, at - from + text.size() + Around).simplified()});
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
    for (const Hit& hit : m_hits)
        m_list->addItem(QStringLiteral("%1\n\u2026%2\u2026").arg(m_titles[m_files.indexOf(hit.page)], hit.text));
    m_remark->setText(!isSearch                      ? QString()
                          : m_hits.empty()           ? tr("Nothing found")
                          : m_hits.size() == 1       ? tr("1 hit")
                          : m_hits.size() < MostHits ? tr("%1 hits").arg(m_hits.size())
                                                     : tr("The first %1 hits").arg(m_hits.size()));
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
