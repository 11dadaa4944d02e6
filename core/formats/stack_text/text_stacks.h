#pragma once

#include "core/base/flat_index.h"
#include "core/formats/stack_text/frame_line.h"
#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"
#include "core/trace/process/sample_view.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::stacktext {

/// The call stacks of a text as it is read: frames, their modules and names, each once, and the tree of their stacks.
///
/// Cost: a frame line that was met before is a hash of its bytes. Memory: what differs, once, and 24 bytes for each frame of the tree.
class TextStacks {
public:
    static constexpr std::size_t MostNodes = std::size_t(1) << 23; ///< A few bytes of text make one, and 100 bytes of memory later.

    TextStacks();

    /// Takes a frame's text apart. False: it is none.
    using Parse = bool (*)(std::string_view text, FrameText& frame, Module::Kind& kind);

    /// Index of the frame that the text describes. The text must stay; of one text `parse` is asked once. -1: it is none.
    std::int64_t frameOfLine(std::string_view text, Parse parse);

    /// The stack of these frames, innermost first; 0 for none. `isCut` where the tree is full and does not know it: outer frames are then
    /// kept.
    std::uint32_t stackOf(std::span<const std::uint32_t> innermostFirst, bool& isCut);
    /// What is called by `caller`.
    std::uint32_t call(std::uint32_t caller, std::uint32_t frame, bool& isCut);

    std::vector<Module> takeModules() { return std::move(m_modules); }
    std::vector<RecordedFrame> takeTree() { return std::move(m_tree); }

private:
    struct Frame {
        ModuleId module = UnknownModule;
        std::uint64_t number = 0; ///< In m_names.
        bool isInlined = false; ///< Its module is its caller's.
        std::uint64_t address = 0; ///< Of an inlined one, as printed.
    };
    /// A text that was met.
    struct Line {
        std::string_view text;
        std::uint32_t frame;
    };
    struct Name {
        ModuleId module;
        std::uint32_t function; ///< In m_functions.
        std::uint64_t offset;
        bool isInlined;
    };

    struct Moved {
        std::uint32_t from;
        ModuleId module;
        std::uint32_t to;
    };
    static constexpr std::uint32_t NoFrame = ~0u;

    std::uint32_t inModule(std::uint32_t frame, ModuleId module);
    std::uint32_t frameOf(const FrameText& text, Module::Kind kind);
    ModuleId moduleOf(std::string_view path, Module::Kind kind);
    std::uint32_t functionOf(std::string_view name);
    std::uint64_t numberOf(ModuleId module, const RecordedName& name);

    std::shared_ptr<RecordedNames> m_names;
    std::vector<Module> m_modules;
    FlatIndex m_moduleIndex; ///< All but the first.
    std::vector<Line> m_lines;
    FlatIndex m_lineIndex;
    std::vector<Frame> m_frames;
    std::vector<Moved> m_moved; ///< Inlined frames, in the modules that they turned out to be in.
    FlatIndex m_movedIndex;
    std::vector<std::string> m_functions;
    FlatIndex m_functionIndex;
    std::vector<Name> m_places; ///< By number in m_names.
    FlatIndex m_placeIndex;
    std::vector<RecordedFrame> m_tree;
    FlatIndex m_treeIndex; ///< All but the first.
};

/// What kind of code a module is, by the name that perf gives it.
Module::Kind kindOfModule(std::string_view name);

} // namespace helio::stacktext
