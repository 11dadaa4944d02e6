#include "app/cli/prompt/line_editor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <histedit.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace helio {
namespace {

constexpr int MostHistory = 2'000; ///< Largest number of entries of the history.
constexpr std::size_t MostListed = 200; ///< Largest number of candidates that Tab lists.

/// Returns the width of the terminal in columns.
std::size_t terminalWidth()
{
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Prints candidates in columns below the line.
void list(const std::vector<std::string>& candidates)
{
    const std::size_t shown = std::min(candidates.size(), MostListed);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i)
        width = std::max(width, candidates[i].size() + 2);
    const std::size_t columns = std::max<std::size_t>(1, terminalWidth() / std::max<std::size_t>(1, width));
    std::fputc('\n', stdout);
    for (std::size_t i = 0; i < shown; ++i) {
        const bool endsLine = i + 1 == shown || (i + 1) % columns == 0;
        std::fprintf(stdout, "%-*s%s", static_cast<int>(endsLine ? 0 : width), candidates[i].c_str(), endsLine ? "\n" : "");
    }
    if (shown < candidates.size())
        std::fprintf(stdout, "and %zu more\n", candidates.size() - shown);
    std::fflush(stdout);
}

/// Returns the number of characters of a text in UTF-8.
int countCharacters(std::string_view text)
{
    return static_cast<int>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string commonBegin(const std::vector<std::string>& texts)
{
    std::string common = texts.front();
    for (const std::string& text : texts)
        common.erase(std::ranges::mismatch(common, text).in1, common.end());
    return common;
}

} // namespace

struct LineEditor::State {
    EditLine* editor = nullptr;
    History* history = nullptr;
    std::filesystem::path file;
    Complete complete;
    Interrupts* interrupts = nullptr;
    const char* prompt = "";
    bool wasInterrupted = false;

    static State& of(EditLine* editor)
    {
        void* data = nullptr;
        el_get(editor, EL_CLIENTDATA, &data);
        return *static_cast<State*>(data);
    }
    static const char* promptOf(EditLine* editor) { return of(editor).prompt; }
    static unsigned char onTab(EditLine* editor, int) { return of(editor).completeWord(); }
    static int onRead(EditLine* editor, wchar_t* out) { return of(editor).readCharacter(out); }

    /// Reads a character, unless the user interrupts. Returns the number of characters, 0 at the end of the input, or -1.
    int readCharacter(wchar_t* out)
    {
        std::mbstate_t state{};
        for (;;) {
            std::array<pollfd, 2> wait{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{interrupts->descriptor(), POLLIN, 0}};
            if (::poll(wait.data(), wait.size(), -1) < 0) {
                if (errno == EINTR)
                    continue;
                return -1;
            }
            if (interrupts->take()) {
                wasInterrupted = true;
                return -1;
            }
            if (wait[0].revents == 0)
                continue;
            char byte = 0;
            const auto count = ::read(STDIN_FILENO, &byte, 1);
            if (count <= 0)
                return static_cast<int>(count);
            const std::size_t used = std::mbrtowc(out, &byte, 1, &state);
            if (used == static_cast<std::size_t>(-2))
                continue; // A part of a character.
            if (used == static_cast<std::size_t>(-1))
                state = {}; // Not in the terminal's encoding: left out.
            else
                return 1;
        }
    }

    unsigned char completeWord()
    {
        const LineInfo* const line = el_line(editor);
        const std::string_view before(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
        const Completion found = complete(before);
        if (found.candidates.empty())
            return CC_ERROR;
        const std::string_view word = before.substr(std::min(found.begin, before.size()));
        std::string text = commonBegin(found.candidates);
        const bool isOnly = found.candidates.size() == 1;
        if (isOnly && !text.ends_with('.') && !text.ends_with('('))
            text += ' ';
        if (text.size() > word.size()) {
            el_deletestr(editor, countCharacters(word));
            return el_insertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
        }
        if (isOnly)
            return CC_NORM;
        list(found.candidates);
        return CC_REDISPLAY;
    }
};

LineEditor::LineEditor(std::filesystem::path historyFile, Complete complete, Interrupts& interrupts)
    : m_state(std::make_unique<State>())
{
    State& state = *m_state;
    state.file = std::move(historyFile);
    state.complete = std::move(complete);
    state.interrupts = &interrupts;
    std::setlocale(LC_CTYPE, ""); // libedit decodes what is typed by it.
    state.history = history_init();
    HistEvent event{};
    if (state.history) {
        history(state.history, &event, H_SETSIZE, MostHistory);
        history(state.history, &event, H_SETUNIQUE, 1);
        if (!state.file.empty())
            history(state.history, &event, H_LOAD, state.file.c_str());
    }
    state.editor = el_init("heliograph", stdin, stdout, stderr);
    if (!state.editor)
        return;
    el_set(state.editor, EL_CLIENTDATA, &state);
    el_set(state.editor, EL_PROMPT, &State::promptOf);
    el_set(state.editor, EL_EDITOR, "emacs");
    el_set(state.editor, EL_SIGNAL, 1);
    if (state.history)
        el_set(state.editor, EL_HIST, history, state.history);
    el_set(state.editor, EL_GETCFN, &State::onRead);
    el_set(state.editor, EL_ADDFN, "helio-complete", "Complete the word before the cursor", &State::onTab);
    el_set(state.editor, EL_BIND, "^I", "helio-complete", nullptr);
    el_set(state.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(state.editor, nullptr);
}

LineEditor::~LineEditor()
{
    State& state = *m_state;
    if (state.editor)
        el_end(state.editor);
    if (!state.history)
        return;
    HistEvent event{};
    if (!state.file.empty()) {
        std::error_code ignored;
        std::filesystem::create_directories(state.file.parent_path(), ignored);
        history(state.history, &event, H_SAVE, state.file.c_str()); // A folder that cannot be written to keeps no history.
    }
    history_end(state.history);
}

LineEditor::End LineEditor::read(const char* prompt, std::string& line)
{
    State& state = *m_state;
    line.clear();
    if (!state.editor)
        return End::EndOfInput;
    state.prompt = prompt;
    state.wasInterrupted = false;
    int count = 0;
    const char* const text = el_gets(state.editor, &count);
    if (state.wasInterrupted) {
        el_reset(state.editor);
        std::fputs("^C\n", stdout);
        std::fflush(stdout);
        return End::Interrupt;
    }
    if (!text || count <= 0)
        return End::EndOfInput;
    line.assign(text);
    while (line.ends_with('\n') || line.ends_with('\r'))
        line.pop_back();
    return End::Line;
}

void LineEditor::addToHistory(const std::string& entry)
{
    HistEvent event{};
    if (m_state->history && !entry.empty())
        history(m_state->history, &event, H_ENTER, entry.c_str());
}

} // namespace helio
