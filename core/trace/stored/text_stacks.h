#pragma once

#include "core/base/flat_index.h"
#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"
#include "core/trace/process/sample_view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A frame of a call stack as a recording names it. Members that were not recorded are empty.
/// Ownership: the strings are views of the caller's data.
struct ParsedFrame {
    std::optional<std::uint64_t> address;
    std::string_view function; ///< Name of the function; empty if unknown.
    std::optional<std::uint64_t> offset; ///< Distance of the code from the start of the function in bytes; nullopt if unknown.
    std::string_view module; ///< Path of the module that contains the code; empty if unknown or if the function was inlined.
    bool isInlined = false;
    std::string_view file{}; ///< Source file of the function; empty if unknown.
    std::uint32_t line = 0; ///< Line of the code in `file`, from 1; 0 if unknown.
};

/// Call stacks of a recording that is being read: its distinct frames, modules and names, and the tree of stacks. A stack is a node of the
/// tree. The node's parent is the stack of the caller, and node 0 is the empty stack.
///
/// Cost: a repeated frame line costs a hash of its bytes. Memory: each distinct frame once, and 24 bytes for each node of the tree.
class TextStacks {
public:
    /// Maximum number of nodes. A few bytes of text can make a node, which later needs 100 bytes of memory.
    static constexpr std::size_t MostNodes = std::size_t(1) << 23;

    TextStacks();

    /// Parser of a frame's text. Returns false if the text is not a frame.
    using Parse = bool (*)(std::string_view text, ParsedFrame& frame, Module::Kind& kind);

    /// Returns the index of the frame that the text describes; -1 if the text is not a frame. Calls `parse` once for each distinct text.
    /// Ownership: the text must outlive this object.
    std::int64_t findOrAddFrame(std::string_view text, Parse parse);

    /// Adds a frame and returns its index. An equal frame may be added again: it gets another index, but stacks with either index are
    /// equal.
    std::uint32_t addFrame(const ParsedFrame& frame, Module::Kind kind);
    /// Adds a module whose function names are not in the recording, but are to be looked up in the module's file.
    ModuleId addModule(Module module);
    /// Adds a frame of which only the address is known, and returns the index of the frame. `module` is a result of addModule().
    std::uint32_t addAddress(ModuleId module, std::uint64_t address);

    /// Returns the stack of frames, which are listed innermost first; 0 without frames. If the tree is full and does not contain the stack,
    /// sets `isCut` and keeps the outer frames.
    std::uint32_t stackOf(std::span<const std::uint32_t> innermostFirst, bool& isCut);
    /// Returns the stack in which `frame` is called by the innermost frame of stack `caller`. If the tree is full, may set `isCut` and
    /// return `caller`.
    std::uint32_t call(std::uint32_t caller, std::uint32_t frame, bool& isCut);

    std::vector<Module> takeModules() { return std::move(m_modules); }
    std::vector<RecordedFrame> takeTree() { return std::move(m_tree); }

private:
    /// A distinct frame, as printed.
    struct Frame {
        ModuleId module = UnknownModule;
        std::uint64_t nameIndex = 0; ///< Index of the frame's name in m_names; for modules of addModule(), the frame's address.
        bool isInlined = false; ///< True if the frame's function was inlined; the frame then has the module of its caller.
        std::uint64_t address = 0; ///< Address as printed; 0 if not printed.
    };
    /// A distinct text of a frame, with the frame that it describes.
    struct Line {
        std::string_view text;
        std::uint32_t frame; ///< Index into m_frames; NoFrame if the text is not a frame.
    };
    struct Name {
        ModuleId module;
        std::uint32_t function; ///< Index into m_texts of the name of the function.
        std::uint32_t file; ///< Index into m_texts of the source file.
        std::uint32_t line;
        std::uint64_t offset;
        bool isInlined;
    };

    /// Cache entry of copyToModule(): an inlined frame, and its copy with the module of the caller.
    struct RelocatedFrame {
        std::uint32_t from; ///< Index into m_frames of the inlined frame.
        ModuleId module;
        std::uint32_t to; ///< Index into m_frames of the copy.
    };
    static constexpr std::uint32_t NoFrame = ~0u;

    std::uint32_t copyToModule(std::uint32_t frame, ModuleId module);
    ModuleId moduleOf(std::string_view path, Module::Kind kind);
    std::uint32_t indexOf(std::string_view text);
    std::uint64_t numberOf(ModuleId module, const RecordedName& name);

    std::shared_ptr<RecordedNames> m_names;
    std::vector<Module> m_modules;
    FlatIndex m_moduleIndex; ///< Hash index of m_modules; index i stands for m_modules[i + 1].
    std::vector<Line> m_lines;
    FlatIndex m_lineIndex;
    std::vector<Frame> m_frames;
    std::vector<RelocatedFrame> m_moved; ///< Copies of inlined frames in the modules of their callers.
    FlatIndex m_movedIndex;
    std::vector<std::string> m_texts; ///< Distinct names of functions and source files.
    FlatIndex m_textIndex;
    std::vector<Name> m_distinctNames; ///< Keys by which m_nameIndex finds names: element i is the key of element i of m_names.
    FlatIndex m_nameIndex;
    std::vector<RecordedFrame> m_tree;
    FlatIndex m_treeIndex; ///< Hash index of m_tree; index i stands for m_tree[i + 1].
};

/// Returns the name of a function as V8's profiler records it. A function without a name gets "(anonymous)" and its place in the source
/// file, e.g. "(anonymous):6:3". `line` and `column` count from 0; negative if unknown.
std::string javaScriptFunction(std::string_view name, std::int64_t line, std::int64_t column);

/// Returns the kind of a module. `name` is the module as perf or strace prints it, e.g. "[vdso]" or "/usr/lib/libc.so.6".
Module::Kind kindOfModule(std::string_view name);

} // namespace helio
