#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTextBrowser>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace helio {

class GuideBrowser;

/// Returns the text of a page, a Markdown file in UTF-8; empty if the file cannot be read.
QString readGuidePage(const QString& path);

/// Browser for the Markdown pages of a folder, in the colours of the theme. Headings have anchors as on code hosting sites: "Open a trace"
/// has `open-a-trace`. Images are scaled to the browser's width if wider. If a folder has both `x.png` and `x-light.png`, the browser shows
/// the image for the current theme, no matter which of them the page names. Links are not followed; the owner connects anchorClicked().
/// Threads: UI thread.
class GuideBrowser : public QTextBrowser {
public:
    explicit GuideBrowser(const QString& folder);

    QVariant loadResource(int type, const QUrl& name) override;

    /// Returns the absolute URL of a link in the current page: `page.md`, `page.md#heading`, `#heading`, or an external address.
    QUrl resolvedLink(const QUrl& link) const;
    /// Reloads the page in the colours of the current theme and keeps the scroll position.
    void restyle();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_folder;
};

/// Window with the guide: a browser for its Markdown pages, a list of the pages, and a search in all pages. Not modal; Esc closes it.
/// Threads: UI thread.
class GuideWindow : public QDialog {
    Q_OBJECT

public:
    /// Creates a window for the pages *.md in `folder`. guide.md is the first page; the order of its links is the order of the other pages.
    explicit GuideWindow(const QString& folder, QWidget* parent = nullptr);

    /// Shows the guide in front of `window`; the first call for a window creates its guide.
    static void showOver(QWidget& window, const QString& folder);

    /// A search hit: an occurrence of the searched text.
    struct Hit {
        QString page; ///< File name of the page.
        int number = 0; ///< Number of the hit within the page, from 0.
        QString text; ///< Excerpt of the page around the occurrence.
    };
    const std::vector<Hit>& hits() const { return m_hits; }
    QStringList pages() const { return m_files; } ///< Returns the file names of the pages, in the order of the list.
    QString page() const; ///< Returns the file name of the current page.
    QString selectedText() const;
    void search(const QString& text);
    /// Opens a page, or a heading of a page: `page.md` or `page.md#heading`.
    void open(const QString& page);
    /// Opens the page of the hit with this index in hits(), with the found text selected.
    void openHit(std::size_t hit);

private:
    void showList();
    void markPage();
    void followLine(int line);

    QString m_folder;
    QStringList m_files;
    QStringList m_titles;
    QStringList m_texts; ///< Plain texts of the pages, which search() searches, in the order of m_files; empty until the first search.
    std::vector<Hit> m_hits;
    GuideBrowser* m_pages;
    QListWidget* m_list;
    QLineEdit* m_field;
    QLabel* m_remark;
    QToolButton* m_back;
    QToolButton* m_forward;
};

} // namespace helio
